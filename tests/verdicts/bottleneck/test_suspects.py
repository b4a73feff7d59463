import pytest

from engine.physics import CPU, H100, deployment, measured
from verdicts.bottleneck.hearing import hear, load
from vllm_triage.domain import Deployment, Observation


def notes(observed: Observation, where: Deployment | None = None) -> str:
    return str(hear(observed, where, acknowledge=["not-vllm-first"]).derived["notes"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"engine_imbalance": 2.4}, "busiest DP engine holds 2.4 times"),
        ({"acceptance_length": 1.1}, "speculation yields 1.10 tokens"),
        ({"recomputed_tok_s": 30.0, "prompt_tok_s": 100.0}, "30% of the prompt tokens"),
        ({"preemptions_total": 5.0}, "takes two scrapes"),
    ],
)
def test_a_measurement_that_costs_time_has_its_place(changes: dict[str, float], said: str) -> None:
    assert said in notes(load(**changes))
    assert said not in notes(load())


def test_a_single_stream_far_above_its_floor_is_a_throttled_clock_or_the_like() -> None:
    slow = load(concurrency=1.0, tpot_ms_mean=26.0, itl_ms_mean=26.0, output_tok_s=38.0)
    assert "throttled clock" in notes(slow)


def test_a_batch_that_computes_prompts_half_the_time_says_so() -> None:
    busy = load(tpot_ms_mean=90.0, itl_ms_mean=90.0, output_tok_s=1300.0, concurrency=120.0, input_tokens=3000.0)
    assert "prompts of others" in notes(busy)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (deployment(enforce_eager=True), "--enforce-eager"),
        (deployment(async_scheduling=False, speculative_config={"method": "ngram"}), "asynchronous scheduling is off"),
        (
            deployment(gpu=H100.but(interconnect="pcie", interconnect_gb_s=32), tensor_parallel_size=4),
            "over PCIe on 4 GPUs",
        ),
    ],
)
def test_a_setting_that_costs_time_has_its_place(where: Deployment, said: str) -> None:
    assert said in notes(load(), where)


def test_eager_mode_on_a_cpu_is_what_a_cpu_does() -> None:
    assert "--enforce-eager" not in notes(load(), deployment(gpu=CPU, enforce_eager=True))


def test_no_suspect_names_a_bottleneck_by_itself() -> None:
    observed = load(engine_imbalance=3.0).but(preemptions_total=measured(9))
    assert hear(observed, deployment(enforce_eager=True)).status == "healthy"
