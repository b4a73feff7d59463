import pytest

from vllm_triage.readers.bench import read_bench_json

REPORT = {
    "load_summary": {"count": 10500},
    "successes": {
        "count": 10500,
        "latency": {
            "request_latency": {"mean": 16.95, "median": 17.36, "p99": 23.15},
            "normalized_time_per_output_token": {"mean": 0.0174},
            "time_per_output_token": {"mean": 0.01585, "median": 0.0162, "p99": 0.0207},
            "time_to_first_token": {"mean": 1.0639, "median": 0.7007, "p99": 4.24},
            "inter_token_latency": {"mean": 0.01585, "median": 0.0153, "p99": 0.0472},
        },
        "throughput": {
            "input_tokens_per_sec": 13641.3,
            "output_tokens_per_sec": 12925.4,
            "total_tokens_per_sec": 26566.7,
            "requests_per_sec": 13.24,
        },
        "prompt_len": {"mean": 1030.2},
        "output_len": {"mean": 976.1},
    },
    "failures": {"count": 3, "request_latency": None},
}


def test_tpot_and_itl_are_both_there_and_the_normalized_one_is_not_read() -> None:
    part = read_bench_json(REPORT)
    assert part is not None
    found = {r.name: r.value for r in part.readings}
    assert found["tpot_ms_p99"] == pytest.approx(20.7)
    assert found["itl_ms_p99"] == pytest.approx(47.2)
    assert found["ttft_ms_p50"] == pytest.approx(700.7)
    assert (found["failed"], found["input_tokens"], found["total_tok_s"]) == (3, 1030.2, 26566.7)
    assert found["concurrency"] == pytest.approx(13.24 * 16.95)


@pytest.mark.parametrize("document", [{"successes": None}, {"successes": {}}, {"successes": {"count": 3}}])
def test_an_empty_report_is_none(document: dict[str, object]) -> None:
    assert read_bench_json(document) is None  # type: ignore[arg-type]
