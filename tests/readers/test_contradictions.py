import pytest

from vllm_triage.domain import PoolReading
from vllm_triage.readers.contradictions import contradictions, pool_conflicts
from vllm_triage.readers.reading import Kind, Reading


def found(*readings: tuple[str, float, Kind] | tuple[str, float, Kind, str]) -> list[str]:
    by_name: dict[str, list[Reading]] = {}
    for name, value, kind, *source in readings:
        by_name.setdefault(name, []).append(Reading(name, value, source[0] if source else kind, kind))
    return [c.what for c in contradictions({n: r[0] for n, r in by_name.items()}, by_name)]


def run(rate: float, ttft: float, tpot: float, length: float, concurrency: float) -> list[str]:
    return found(
        ("request_rate", rate, "client"), ("ttft_ms_mean", ttft, "client"), ("tpot_ms_mean", tpot, "client"),
        ("output_tokens", length, "client"), ("concurrency", concurrency, "client"),
    )  # fmt: skip


def test_a_run_that_obeys_littles_law_is_no_contradiction() -> None:
    assert run(rate=4, ttft=1000, tpot=50, length=101, concurrency=24) == []


def test_more_in_the_system_than_the_client_allows_is_one() -> None:
    assert run(rate=4, ttft=9000, tpot=50, length=101, concurrency=24) == [
        "Little's law: more requests in the system than the stated concurrency"
    ]


def test_far_fewer_in_the_system_than_stated_is_one() -> None:
    assert run(rate=1, ttft=1000, tpot=50, length=101, concurrency=64) == [
        "Little's law: fewer requests in the system than the stated concurrency"
    ]


def test_two_sources_apart_are_reported_with_both_values() -> None:
    readings = {
        "ttft_ms_mean": [
            Reading("ttft_ms_mean", 9000.0, "given", "given"),
            Reading("ttft_ms_mean", 350.0, "bench", "client"),
        ]
    }
    (conflict,) = contradictions({"ttft_ms_mean": readings["ttft_ms_mean"][0]}, readings)
    assert conflict.what == "ttft_ms_mean"
    assert conflict.values == ("9000 ms (given)", "350 ms (bench)")


@pytest.mark.parametrize(
    ("name", "one", "other", "apart"),
    [
        ("ttft_ms_mean", (100.0, "client"), (110.0, "given"), False),
        ("ttft_ms_mean", (100.0, "client"), (140.0, "interval"), False),
        ("ttft_ms_mean", (100.0, "client"), (180.0, "interval"), False),  # network and HTTP
        ("ttft_ms_mean", (1000.0, "client"), (1800.0, "interval"), True),
        ("itl_ms_mean", (10.0, "client"), (18.0, "interval"), True),
        ("itl_ms_p99", (10.0, "client"), (40.0, "interval"), False),  # by bucket
        ("itl_ms_p99", (10.0, "client"), (60.0, "interval"), True),
        ("itl_ms_mean", (0.7, "client"), (1.4, "interval"), False),
        ("output_tok_s", (1500.0, "client"), (480.0, "log"), False),
        ("output_tok_s", (480.0, "client"), (1500.0, "log"), True),
        ("ttft_ms_mean", (100.0, "client"), (9000.0, "lifetime"), False),
        ("output_tok_s", (100.0, "client"), (9000.0, "derived"), False),
    ],
)
def test_what_two_ways_of_measuring_explain_is_no_contradiction(
    name: str, one: tuple[float, Kind], other: tuple[float, Kind], apart: bool
) -> None:
    assert bool(found((name, *one), (name, *other))) is apart


def test_rates_and_lengths_must_multiply_to_the_throughput() -> None:
    assert found(("request_rate", 4, "client"), ("output_tokens", 100, "client"), ("output_tok_s", 400, "client")) == []
    assert found(("request_rate", 4, "client"), ("output_tokens", 100, "client"), ("output_tok_s", 900, "given")) == [
        "output_tok_s"
    ]


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("output_tok_s", "total_tok_s"),
        ("ttft_ms_mean", "e2e_ms_mean"),
        ("ttft_ms_p50", "ttft_ms_p99"),
        ("itl_ms_p50", "itl_ms_p99"),
    ],
)
def test_the_part_cannot_exceed_the_whole(small: str, large: str) -> None:
    assert found((small, 500, "client"), (large, 100, "client")) == [f"{small} is above {large}"]
    assert found((small, 100, "client"), (large, 500, "client")) == []


def test_a_log_and_a_scrape_of_different_pools_are_told() -> None:
    log, scrape = PoolReading(tokens=1000, source="startup log"), PoolReading(tokens=2000, source="metrics")
    assert [c.what for c in pool_conflicts([log, scrape])] == ["KV pool size"]
    assert pool_conflicts([log, scrape.but(tokens=1001)]) == []
    assert pool_conflicts([log, PoolReading(blocks=3)]) == []
