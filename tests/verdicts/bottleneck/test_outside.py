import pytest

from engine.physics import H100, deployment, measured, memory
from verdicts.bottleneck.hearing import hear, load
from verdicts.bottleneck.pasting import paste
from vllm_triage.domain import Observation, PoolReading


def test_prompts_computed_as_fast_as_the_device_can_are_prefill_bound() -> None:
    verdict = hear(
        load(
            input_tokens=2000.0,
            output_tokens=20.0,
            output_tok_s=520.0,
            ttft_ms_mean=8000.0,
            concurrency=250.0,
            tpot_ms_mean=60.0,
            itl_ms_mean=60.0,
        )
    )
    assert (verdict.bottleneck, verdict.outside) == (None, "prefill_compute_bound")


def test_a_concurrency_that_never_arrives_is_the_client_s() -> None:
    verdict = hear(load(concurrency=200.0, running=9, waiting=0, kv_usage=0.05, request_rate=4.0))
    assert verdict.outside == "client_or_upstream"


def test_time_to_first_token_spent_outside_the_engine_is_the_client_s_or_the_front_end_s() -> None:
    observed = load(running=10, waiting=0, kv_usage=0.1).but(
        ttft_ms_mean=measured(5000, "metrics: ttft"),
        queue_ms_mean=measured(2, "metrics: queue"),
        prefill_ms_mean=measured(60, "metrics: prefill"),
    )
    assert hear(observed).outside == "client_or_upstream"


def test_a_lifetime_mean_is_not_held_against_a_benchmark() -> None:
    observed = load(running=10, waiting=0, kv_usage=0.1, ttft_ms_p50=90.0).but(
        ttft_ms_mean=measured(5000, "vllm bench serve: mean_ttft_ms"),
        queue_ms_mean=measured(2, "metrics: queue"),
        prefill_ms_mean=measured(60, "metrics: prefill"),
    )
    verdict = hear(observed)
    assert verdict.status == "healthy"
    assert any("first ones after a start" in str(note) for note in verdict.derived["notes"])  # type: ignore[union-attr]


def test_collectives_over_pcie_are_the_link_s() -> None:
    where = deployment(gpu=H100.but(interconnect="pcie", interconnect_gb_s=16), tensor_parallel_size=8)
    verdict = hear(
        load(
            tpot_ms_mean=70.0,
            itl_ms_mean=70.0,
            output_tok_s=3400.0,
            concurrency=250.0,
            running=240,
            waiting=0,
            kv_usage=0.3,
        ),
        where,
    )
    assert verdict.outside == "interconnect"


@pytest.mark.parametrize(
    ("settings", "outside"), [({}, "host_overhead"), ({"kv_transfer_config": {"kv_connector": "x"}}, "interconnect")]
)
def test_deferred_requests_are_no_queue_for_seats(settings: dict[str, object], outside: str) -> None:
    observed = load(ttft_ms_mean=4000.0, running=10, waiting=20, waiting_deferred=20, kv_usage=0.1, concurrency=30)
    verdict = hear(observed, deployment(**settings))  # type: ignore[arg-type]
    assert (verdict.bottleneck, verdict.outside) == (None, outside)


@pytest.mark.parametrize("kind", ["no_kv_memory", "max_len_exceeds_kv", "oom_graphs", "config"])
def test_a_failed_start_is_answered_without_any_metric_and_names_no_bottleneck(kind: str) -> None:
    observed = Observation(
        pool=PoolReading(error="ValueError: it did not start", error_kind=kind, needed_kv_gib=6.7, available_kv_gib=5.4)
    )
    verdict = hear(observed, budget=memory())
    assert (verdict.status, verdict.bottleneck, verdict.outside) == ("classified", None, "startup_failure")
    assert any("it did not start" in e.observed for e in verdict.evidence)
    assert any("no bottleneck is named" in e.why for e in verdict.evidence) is (kind != "config")
    assert verdict.refusals == ()


def test_a_server_that_ran_out_of_memory_while_it_served_is_dead_and_not_tuned() -> None:
    up = "INFO:     Application startup complete.\n"
    oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 96.00 MiB. GPU 0 has a total capacity of 31.36 GiB"
    verdict = paste(None, [up + oom])
    assert (verdict.status, verdict.outside, verdict.sub_bound) == ("classified", "startup_failure", "out_of_memory")
    assert any("step for requests" in e.why for e in verdict.evidence)
    assert paste(None, [oom]).sub_bound == "out_of_memory"
    assert any("is not told" in e.why for e in paste(None, [oom]).evidence)


def test_who_tells_of_a_death_and_of_a_latency_asks_about_the_latency() -> None:
    verdict = paste(None, ["runtime OOM last week", "TTFT mean 9 s"])
    assert [r.rule for r in verdict.refusals] == ["core-metrics"]


def test_a_failed_start_told_in_words_is_less_sure_than_its_log() -> None:
    verdict = paste(None, ["CUDA OOM at startup"])
    assert (verdict.status, verdict.outside) == ("classified", "startup_failure")
    assert 0.5 <= verdict.confidence < 0.8


def test_prompts_faster_than_the_device_multiplies_are_no_sign_of_slow_prefill() -> None:
    told = {
        "ttft_ms_mean": 30_000.0, "tpot_ms_mean": 40.0, "output_tok_s": 300.0, "concurrency": 100.0, "input_tokens": 32_000.0,
        "output_tokens": 100.0,
    }  # fmt: skip
    verdict = paste("vllm serve Qwen/Qwen3-8B --max-model-len 33000", gpu="H100", version="0.30.0", given=told)
    assert verdict.outside != "prefill_compute_bound"
    assert any("peak FLOPs" in text for text in verdict.derived["conflicts"])  # type: ignore[union-attr]
