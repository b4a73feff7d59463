import pytest

from engine.physics import CPU, deployment, measured, memory, seen
from vllm_triage.domain import Observation, PoolReading
from vllm_triage.engine.roofline import roofline

LOAD = {
    "output_tok_s": 1000.0,
    "tpot_ms_mean": 20.0,
    "ttft_ms_mean": 100.0,
    "input_tokens": 1000.0,
    "output_tokens": 200.0,
}


def test_all_figures_of_a_known_deployment_are_there() -> None:
    r = roofline(deployment(), seen(**LOAD), memory())
    assert r.running == pytest.approx(20)
    assert r.seats_kv == pytest.approx(100_000 / 1150)
    assert r.seats_scheduler == 1024
    assert r.token_budget == 8192
    assert r.decode_floor_ms == pytest.approx(4.776 + 1e3 * 20 * 1100 * 147456 / 3350e9, rel=0.01)
    assert r.mfu == pytest.approx(6000 * 2 * 8e9 / 989.4e12, rel=0.01)
    assert r.missing == ()


def test_a_cpu_uses_no_gpu_number_and_says_so() -> None:
    r = roofline(deployment(gpu=CPU), seen(**LOAD), memory())
    assert (r.decode_floor_ms, r.prefill_floor_ms, r.chunk_step_ms, r.mfu, r.saturation_batch) == (None,) * 5
    assert r.running == pytest.approx(20)
    assert r.seats_kv is not None
    assert any("CPU" in name for name in r.missing)


def test_an_unknown_gpu_is_named_and_not_guessed() -> None:
    r = roofline(deployment(gpu=None), seen(**LOAD), memory())
    assert r.decode_floor_ms is None
    assert any(name.startswith("gpu") for name in r.missing)


def test_without_a_launch_little_s_law_and_a_printed_pool_remain() -> None:
    load = Observation(
        **{name: measured(value) for name, value in LOAD.items()},
        pool=PoolReading(tokens=11_500),  # type: ignore[arg-type]
    )
    r = roofline(None, load, None)
    assert r.running == pytest.approx(20)
    assert r.seats_kv == pytest.approx(10)
    assert "command" in r.missing


def test_what_was_not_measured_is_named() -> None:
    assert roofline(deployment(), Observation(), memory()).missing == (
        "input_tokens", "output_tokens", "TPOT or mean ITL", "output token throughput",
    )  # fmt: skip


def test_a_budget_that_drafting_reduces_is_the_budget() -> None:
    r = roofline(deployment(max_num_scheduled_tokens=7168), seen(**LOAD), memory())
    assert r.token_budget == 7168


def test_a_step_far_above_its_floor_is_overhead() -> None:
    assert roofline(deployment(), seen(**{**LOAD, "tpot_ms_mean": 95.0}), memory()).decode_bound == "overhead"


def test_a_predicted_pool_and_an_assumed_gpu_are_said() -> None:
    r = roofline(deployment().but(gpu_origin="assumed"), seen(**LOAD), memory(measured=False))
    assert "the GPU is assumed" in r.assumptions
    assert any("predicted" in said for said in r.assumptions)


def test_engines_that_the_metrics_show_count_as_replicas() -> None:
    r = roofline(deployment(), seen(**LOAD).but(engines=4), memory())
    assert r.seats_scheduler == 4 * 1024
    assert r.seats_kv == pytest.approx(4 * 100_000 / 1150)
