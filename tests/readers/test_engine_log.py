# ruff: noqa: E501 - printed lines are kept as they are printed
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captures import SERVED, capture
from vllm_triage.readers.engine_log import looks_like_engine_log, read_engine_log
from vllm_triage.readers.reading import Partial

KV_FULL = """INFO 09-27 10:00:00 [loggers.py:123] Engine 000: Avg prompt throughput: 6102.8 tokens/s, Avg generation throughput: 1221.7 tokens/s, Running: 259 reqs, Waiting: 535 reqs, Preemptions: 12, GPU KV cache usage: 82.3%, Prefix cache hit rate: 32.2%
INFO 09-27 10:00:10 [loggers.py:123] Engine 000: Avg prompt throughput: 5000.0 tokens/s, Avg generation throughput: 1400.3 tokens/s, Running: 241 reqs, Waiting: 553 reqs, Preemptions: 8, GPU KV cache usage: 99.7%, Prefix cache hit rate: 30.0%
INFO 09-27 10:00:20 [loggers.py:123] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 100.0 tokens/s, Running: 0 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.0%, Prefix cache hit rate: 30.0%
"""
TWO_ENGINES = """INFO 05-01 10:00:00 [loggers.py:257] Engine 000: Avg prompt throughput: 100.0 tokens/s, Avg generation throughput: 50.0 tokens/s, Running: 10 reqs, Waiting: 2 reqs, GPU KV cache usage: 40.0%, Prefix cache hit rate: 0.0%
INFO 05-01 10:00:00 [loggers.py:257] Engine 001: Avg prompt throughput: 300.0 tokens/s, Avg generation throughput: 150.0 tokens/s, Running: 30 reqs, Waiting: 8 reqs, Deferred: 5 reqs, GPU KV cache usage: 95.0%, Prefix cache hit rate: 0.0%
"""
V0 = "INFO 01-05 10:00:00 metrics.py:467] Avg prompt throughput: 12.0 tokens/s, Avg generation throughput: 345.6 tokens/s, Running: 32 reqs, Swapped: 1 reqs, Pending: 98 reqs, GPU KV cache usage: 86.1%, CPU KV cache usage: 0.0%.\n"
SPEC = "INFO [metrics.py:121] SpecDecoding metrics: Mean acceptance length: 2.40, Accepted throughput: 70.00 tokens/s, Drafted throughput: 150.00 tokens/s, Accepted: 700 tokens, Drafted: 1500 tokens, Per-position acceptance rate: 0.800, 0.400, 0.200, Avg Draft acceptance rate: 46.7%\n"


def read(text: str) -> Partial:
    part = read_engine_log(text)
    assert part is not None
    return part


def values(text: str) -> dict[str, float]:
    return {r.name: r.value for r in read(text).readings}


def test_lines_under_load_are_averaged_and_the_idle_one_left_out() -> None:
    found = values(KV_FULL)
    assert found["running"] == pytest.approx(250)
    assert found["waiting"] == pytest.approx(544)
    assert found["output_tok_s"] == pytest.approx(1311)
    assert found["prompt_tok_s"] == pytest.approx(5551.4)
    assert found["kv_usage"] == pytest.approx(0.91)
    assert found["kv_usage_max"] == pytest.approx(0.997)
    assert found["waiting_max"] == 553


def test_preemptions_are_a_rate_over_the_lines_own_time() -> None:
    found = values(KV_FULL)
    assert found["preemptions_total"] == 20
    assert found["preemption_rate"] == pytest.approx(20 / 30)


def test_engines_of_one_round_are_added_and_the_fullest_pool_counts() -> None:
    part, found = read(TWO_ENGINES), values(TWO_ENGINES)
    assert part.engines == 2
    assert (found["running"], found["waiting"], found["output_tok_s"], found["kv_usage"]) == (40, 10, 200, 0.95)
    assert (found["waiting_deferred"], found["waiting_capacity"]) == (5, 5)


def test_v0_calls_waiting_pending_and_swapped() -> None:
    found = values(V0)
    assert (found["running"], found["waiting"], found["output_tok_s"], found["kv_usage"]) == (
        32,
        99,
        345.6,
        pytest.approx(0.861),
    )


def test_aggregated_engines_are_counted() -> None:
    assert read(KV_FULL.replace("Engine 000", "4 Engines Aggregated")).engines == 4


def test_speculation_is_weighted_by_what_was_drafted() -> None:
    other = SPEC.replace("2.40", "1.60").replace("700 tokens", "100 tokens").replace("1500 tokens", "500 tokens")
    found = values(SPEC + other)
    assert found["acceptance_rate"] == pytest.approx(0.4)
    assert found["acceptance_length"] == pytest.approx((2.4 * 1500 + 1.6 * 500) / 2000)


def test_v0s_speculation_line_is_read() -> None:
    line = "Speculative metrics: Draft acceptance rate: 0.610, System efficiency: 0.550, Number of speculative tokens: 3, Number of accepted tokens: 610, Number of draft tokens: 1000, Number of emitted tokens: 1100."
    assert values(line)["acceptance_rate"] == pytest.approx(0.61)


@pytest.mark.parametrize("run", SERVED)
def test_every_real_log_is_read(run: str) -> None:
    part = read(capture(run, "engine.log"))
    assert part.readings
    assert {r.kind for r in part.readings} == {"log"}


def test_a_log_that_prints_no_preemptions_is_not_taken_to_say_there_were_none() -> None:
    found = values(capture("mid-kvfull", "engine.log"))  # the server's counter stood at 37
    assert not found.keys() & {"preemptions_total", "preemption_rate"}
    assert found["kv_usage_max"] == 1.0
    assert found["waiting"] > 5


@pytest.mark.parametrize("text", ["", "hello", "INFO vllm is up", "Avg prompt throughput: fast"])
def test_other_text_is_no_engine_log(text: str) -> None:
    assert read_engine_log(text) is None or not looks_like_engine_log(text)


@given(st.text(max_size=100), st.text(max_size=100))
@settings(max_examples=100, deadline=None)
def test_no_text_around_a_line_breaks_the_reader(before: str, after: str) -> None:
    good = (
        "Engine 000: Avg prompt throughput: 7.5 tokens/s, Avg generation throughput: 3.5 tokens/s, Running: 2 reqs, "
        "Waiting: 1 reqs, GPU KV cache usage: 12.0%, Prefix cache hit rate: 0.0%"
    )
    found = read_engine_log(
        f"{good}\n{before}Engine 000: Avg prompt throughput: 1.2.3 tokens/s, Avg generation throughput: . tokens/s, {after}"
    )
    assert found is not None
    assert found.what.startswith("engine log")
    assert found.get("kv_usage_max") == 0.12 or found.get("kv_usage") == 0.12
    assert all(math.isfinite(reading.value) for reading in found.readings)
