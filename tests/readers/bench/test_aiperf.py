import pytest

from vllm_triage.readers.bench import read_bench_json, read_bench_text
from vllm_triage.readers.reading import Partial

EXPORT = {
    "schema_version": "1.4",
    "request_throughput": {"unit": "requests/sec", "avg": 4.0},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 512.0},
    "time_to_first_token": {"unit": "ms", "avg": 310.0, "p50": 300.0, "p95": 400.0, "p99": 900.0},
    "inter_token_latency": {"unit": "ms", "avg": 22.0, "p50": 21.0, "p99": 40.0},
    "inter_chunk_latency": {"unit": "ms", "avg": 23.0, "p99": 180.0},
    "request_latency": {"unit": "ms", "avg": 3100.0, "p99": 4400.0},
    "input_sequence_length": {"avg": 1024.0},
    "output_sequence_length": {"avg": 128.0},
    "request_count": {"avg": 400},
    "input_config": {"endpoint": {"model_names": ["Qwen/Qwen3-8B"]}, "loadgen": {"concurrency": 12}},
}
TABLE = """                                     NVIDIA AIPerf | LLM Metrics
┏━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┓
┃               Metric ┃      avg ┃      min ┃      p99 ┃      p50 ┃
┡━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━┩
│  Time to First Token │ 2,619.99 │    12.53 │ 4,808.89 │    13.93 │
│                 (ms) │          │          │          │          │
│ Time to First Output │    19.99 │    12.53 │    48.89 │    13.93 │
│           Token (ms) │          │          │          │          │
│ Request Latency (ms) │ 2,940.39 │ 1,536.67 │ 7,034.86 │ 2,000.00 │
│  Inter Token Latency │     3.50 │     1.00 │     5.89 │     3.93 │
│                 (ms) │          │          │          │          │
│         Output Token │   500.10 │      N/A │      N/A │      N/A │
│           Throughput │          │          │          │          │
│         (tokens/sec) │          │          │          │          │
│   Request Throughput │     5.00 │      N/A │      N/A │      N/A │
│       (requests/sec) │          │          │          │          │
└──────────────────────┴──────────┴──────────┴──────────┴──────────┘
"""
CSV = """Metric,avg,min,max,p99,p50
Time To First Token (ms),310.00,1.00,2.00,900.00,300.00
Inter Token Latency (ms),22.00,1.00,2.00,40.00,21.00
Request Latency (ms),"3,100.00",1.00,2.00,"4,400.00",3000.00

Metric,Value
Output Token Throughput (tokens/sec),512.00
Request Throughput (per sec),4.00
"""


def values(part: Partial | None) -> dict[str, float]:
    assert part is not None
    return {r.name: r.value for r in part.readings}


def test_its_inter_token_latency_is_a_tpot_and_its_chunk_gap_the_itl() -> None:
    part = read_bench_json(EXPORT)
    found = values(part)
    assert (found["tpot_ms_mean"], found["tpot_ms_p99"], found["itl_ms_mean"], found["itl_ms_p99"]) == (22, 40, 23, 180)
    assert (found["concurrency"], found["total_tok_s"], found["e2e_ms_p99"]) == (12, 4608, 4400)
    assert part is not None
    assert part.model_name == "Qwen/Qwen3-8B"


def test_another_time_unit_is_turned_into_milliseconds() -> None:
    found = values(read_bench_json(EXPORT | {"time_to_first_token": {"unit": "s", "avg": 0.31}}))
    assert found["ttft_ms_mean"] == pytest.approx(310)


def test_without_a_concurrency_it_follows_from_rate_and_latency() -> None:
    found = values(read_bench_json({k: v for k, v in EXPORT.items() if k != "input_config"}))
    assert found["concurrency"] == pytest.approx(12.4)


def test_the_console_table_with_wrapped_labels_is_read() -> None:
    found = values(read_bench_text(TABLE))
    assert (found["ttft_ms_mean"], found["ttft_ms_p99"], found["tpot_ms_mean"]) == (2619.99, 4808.89, 3.5)
    assert (found["output_tok_s"], found["request_rate"]) == (500.1, 5.0)


def test_the_csv_export_is_read() -> None:
    found = values(read_bench_text(CSV))
    assert (found["ttft_ms_mean"], found["tpot_ms_p99"], found["e2e_ms_mean"], found["output_tok_s"]) == (
        310,
        40,
        3100,
        512,
    )
