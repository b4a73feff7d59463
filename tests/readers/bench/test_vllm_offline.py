# ruff: noqa: E501 - printed lines are kept as they are printed
import pytest

from vllm_triage.readers.bench import read_bench_json, read_bench_text


def test_a_throughput_run_is_read_from_json_and_from_its_line() -> None:
    part = read_bench_json(
        {
            "elapsed_time": 10.0,
            "num_requests": 50,
            "total_num_tokens": 30000,
            "requests_per_second": 5.0,
            "tokens_per_second": 3000.0,
        }
    )
    assert part is not None
    assert (part.get("request_rate"), part.get("total_tok_s"), part.get("requests")) == (5, 3000, 50)
    line = "Throughput: 5.00 requests/s, 3000.00 total tokens/s, 1000.00 output tokens/s\nTotal num prompt tokens:  20000\nTotal num output tokens:  10000\n"
    part = read_bench_text(line)
    assert part is not None
    assert (part.get("output_tok_s"), part.get("output_tokens"), part.get("input_tokens")) == (1000, 200, 400)
    assert part.get("requests") == 50


def test_a_latency_run_gives_the_end_to_end_time_of_a_batch() -> None:
    part = read_bench_json({"avg_latency": 1.25, "latencies": [1.2, 1.3], "percentiles": {"50": 1.2, "99": 1.9}})
    assert part is not None
    assert (part.get("e2e_ms_mean"), part.get("e2e_ms_p99")) == (1250, 1900)
    part = read_bench_text(
        "Avg latency: 1.25 seconds\n10% percentile latency: 1.1 seconds\n99% percentile latency: 1.9 seconds\n"
    )
    assert part is not None
    assert part.get("e2e_ms_p99") == pytest.approx(1900)
