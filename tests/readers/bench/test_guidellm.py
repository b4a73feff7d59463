# ruff: noqa: E501 - printed lines are kept as they are printed
import pytest

from vllm_triage.readers.bench import read_bench_json, read_bench_text
from vllm_triage.readers.reading import Partial

OLD_CONSOLE = """Benchmarks Stats:
=================================================================
Metadata     | Request Stats         || Out Tok/sec| Tot Tok/sec| Req Latency (ms)||| TTFT (ms)          ||| ITL (ms)        ||| TPOT (ms)       ||
    Benchmark| Per Second| Concurrency|        mean|        mean| mean| median|  p99|  mean| median|    p99| mean| median|  p99| mean| median|  p99
-------------|-----------|------------|------------|------------|-----|-------|-----|------|-------|-------|-----|-------|-----|-----|-------|-----
  synchronous|       0.23|        1.00|        58.7|       293.7| 4.36|   4.27| 4.91|  59.8|   59.1|   63.1| 16.8|   16.5| 19.0| 16.8|   16.5| 18.9
   throughput|       3.89|       29.65|       996.1|      4979.5| 7.62|   7.62| 7.68| 817.7|  784.0| 1387.9| 26.7|   26.8| 29.3| 26.6|   26.7| 29.2
=================================================================
"""
CONSOLE = """ℹ Request Latency Statistics (Completed Requests)
|===========|=========|========|======|======|=====|=====|=====|=====|
| Benchmark | Request Latency || TTFT       || ITL      || TPOT     ||
| Strategy  | Sec             || ms         || ms       || ms       ||
|           | Mdn     | p95    | Mdn  | p95  | Mdn | p95 | Mdn | p95 |
|-----------|---------|--------|------|------|-----|-----|-----|-----|
| constant  | 0.1     | 0.1    | 14.9 | 17.2 | 2.2 | 2.3 | 2.4 | 2.6 |
| constant  | 0.4     | 0.5    | 23.2 | 30.9 | 7.8 | 8.0 | 8.1 | 8.4 |
|===========|=========|========|======|======|=====|=====|=====|=====|


ℹ Server Throughput Statistics
|===========|=====|======|=======|======|=======|=======|=======|========|=======|=======|
| Benchmark | Requests               |||| Input Tokens || Output Tokens || Total Tokens ||
| Strategy  | Per Sec   || Concurrency || Per Sec      || Per Sec       || Per Sec      ||
|           | Mdn | Mean | Mdn   | Mean | Mdn   | Mean  | Mdn   | Mean   | Mdn   | Mean  |
|-----------|-----|------|-------|------|-------|-------|-------|--------|-------|-------|
| constant  | 1.0 | 1.0  | 0.0   | 0.1  | 50.0  | 57.5  | 2.2   | 57.2   | 113.3 | 114.4 |
| constant  | 5.0 | 5.0  | 1.0   | 0.6  | 250.1 | 271.8 | 457.4 | 270.7  | 463.2 | 541.4 |
|===========|=====|======|=======|======|=======|=======|=======|========|=======|=======|
"""


def distribution(mean: float, **more: float) -> dict[str, object]:
    return {"mean": mean, "median": mean, "percentiles": {"p50": mean, "p99": mean * 3}, **more}


def benchmark(streams: int, ttft: float) -> dict[str, object]:
    both = {
        "time_to_first_token_ms": ttft, "inter_token_latency_ms": 20.0, "time_per_output_token_ms": 26.0, "request_latency": 4.0,
        "output_tokens_per_second": 900.0, "tokens_per_second": 9000.0, "requests_per_second": 4.5, "request_concurrency": streams * 0.9,
        "prompt_token_count": 1800.0, "output_token_count": 200.0,
    }  # fmt: skip
    metrics = {key: {"successful": distribution(value), "total": distribution(value)} for key, value in both.items()}
    metrics["request_totals"] = {"successful": 100, "errored": 2, "incomplete": 1, "total": 103}
    return {"config": {"strategy": {"type_": "concurrent", "streams": streams}}, "metrics": metrics}


def values(part: Partial | None) -> dict[str, float]:
    assert part is not None
    return {r.name: r.value for r in part.readings}


def test_its_inter_token_latency_is_a_tpot_and_its_tpot_is_not_read() -> None:
    found = values(read_bench_json({"benchmarks": [benchmark(32, 300.0)]}))
    assert found["tpot_ms_mean"] == 20
    assert not any(name.startswith("itl") for name in found)
    assert (found["ttft_ms_p99"], found["e2e_ms_mean"], found["concurrency"], found["failed"]) == (900, 4000, 32, 2)


def test_of_several_rates_the_heaviest_is_read() -> None:
    part = read_bench_json({"benchmarks": [benchmark(64, 3000.0), benchmark(8, 100.0)]})
    assert values(part)["ttft_ms_mean"] == 3000
    assert part is not None
    assert "2 benchmarks" in part.unread[0]


def test_without_streams_the_measured_concurrency_is_read() -> None:
    item = benchmark(10, 100.0) | {"config": {"strategy": {"type_": "constant", "rate": 5.0}}}
    assert values(read_bench_json({"benchmarks": [item]}))["concurrency"] == pytest.approx(9.0)


def test_null_groups_are_no_error() -> None:
    item = {
        "metrics": {"time_to_first_token_ms": None, "request_concurrency": {"successful": None}, "request_totals": None}
    }
    assert read_bench_json({"benchmarks": [item]}) is None


def test_the_old_console_table_is_read_at_its_heaviest_row() -> None:
    found = values(read_bench_text(OLD_CONSOLE))
    assert (found["concurrency"], found["ttft_ms_p99"], found["tpot_ms_mean"], found["e2e_ms_mean"]) == (
        29.65,
        1387.9,
        26.7,
        7620,
    )
    assert (found["request_rate"], found["output_tok_s"], found["total_tok_s"]) == (3.89, 996.1, 4979.5)


def test_the_new_console_tables_are_read_by_their_headings() -> None:
    found = values(read_bench_text(CONSOLE))
    assert (found["ttft_ms_p50"], found["tpot_ms_p50"]) == (23.2, 7.8)
    assert (found["request_rate"], found["concurrency"], found["output_tok_s"], found["total_tok_s"]) == (
        5.0,
        0.6,
        270.7,
        541.4,
    )
