import pytest

from engine.physics import deployment
from verdicts.bottleneck.hearing import hear, load


def test_gauges_that_show_an_empty_queue_make_it_sure() -> None:
    assert hear(load(running=10, waiting=0, kv_usage=0.1)).confidence == 0.9
    assert hear(load()).confidence == 0.75


def test_usage_queue_stream_and_first_token_are_the_evidence() -> None:
    verdict = hear(load(running=10, waiting=0, kv_usage=0.1))
    signals = [e.signal for e in verdict.evidence]
    assert signals == ["WAITING", "KV usage", "requests decoding", "TTFT", "time per output token"]
    assert all(e.supports for e in verdict.evidence)


def test_a_stream_below_the_floor_is_not_called_healthy() -> None:
    verdict = hear(load(tpot_ms_mean=1.0, itl_ms_mean=1.0))
    assert verdict.status == "ambiguous"
    assert verdict.measure_next.startswith("P99 ITL")


@pytest.mark.parametrize("p50", [None, 90.0])
def test_a_few_slow_first_requests_do_not_hide_a_healthy_server(p50: float | None) -> None:
    values = {"ttft_ms_mean": 5500.0} if p50 is None else {"ttft_ms_mean": 5500.0, "ttft_ms_p50": p50}
    verdict = hear(load(**values, running=10, waiting=0, kv_usage=0.1))
    assert (verdict.status == "healthy") is (p50 is not None)


def test_without_a_gauge_a_few_slow_requests_could_be_a_queue() -> None:
    verdict = hear(load(ttft_ms_mean=5500.0, ttft_ms_p50=90.0, concurrency=200.0))
    assert verdict.status == "ambiguous"
    assert verdict.measure_next.startswith("WAITING queue depth")


def test_it_holds_without_a_gpu_where_no_floor_is_known() -> None:
    assert hear(load(running=10, waiting=0, kv_usage=0.1), deployment(gpu=None)).status == "healthy"
