from vllm_triage.readers.bench import read_bench_json, read_bench_text
from vllm_triage.readers.reading import Partial

RESULT = {
    "backend": "vllm",
    "request_rate": float("inf"),
    "max_concurrency": 32,
    "completed": 200,
    "duration": 50.0,
    "total_input_tokens": 204800,
    "total_output_tokens": 25600,
    "request_throughput": 4.0,
    "input_throughput": 4096.0,
    "output_throughput": 512.0,
    "mean_e2e_latency_ms": 7500.0,
    "p99_e2e_latency_ms": 9100.0,
    "mean_ttft_ms": 420.0,
    "median_ttft_ms": 400.0,
    "p99_ttft_ms": 900.0,
    "mean_tpot_ms": 55.7,
    "mean_itl_ms": 56.0,
    "p99_itl_ms": 120.0,
    "concurrency": 30.0,
}
TEXT = """============ Serving Benchmark Result ============
Backend:                                 vllm
Traffic request rate:                    inf
Max request concurrency:                 32
Successful requests:                     200
Total input tokens:                      204800
Total generated tokens:                  25600
Total generated tokens (retokenized):    25590
Request throughput (req/s):              4.00
Input token throughput (tok/s):          4096.00
Output token throughput (tok/s):         512.00
Total token throughput (tok/s):          4608.00
Concurrency:                             30.00
----------------End-to-End Latency----------------
Mean E2E Latency (ms):                   7500.00
Median E2E Latency (ms):                 7400.00
---------------Time to First Token----------------
Mean TTFT (ms):                          420.00
Median TTFT (ms):                        400.00
P99 TTFT (ms):                           900.00
---------------Inter-Token Latency----------------
Mean ITL (ms):                           56.00
P99 ITL (ms):                            120.00
==================================================
"""


def values(part: Partial | None) -> dict[str, float]:
    assert part is not None
    return {r.name: r.value for r in part.readings}


def test_a_result_line_is_read_under_its_own_name() -> None:
    part = read_bench_json(RESULT)
    found = values(part)
    assert part is not None
    assert part.what.startswith("sglang bench_serving")
    assert (found["ttft_ms_mean"], found["tpot_ms_mean"], found["e2e_ms_p99"], found["concurrency"]) == (
        420,
        55.7,
        9100,
        32,
    )
    assert (found["input_tokens"], found["output_tokens"], found["total_tok_s"]) == (1024, 128, 4608)


def test_without_a_limit_its_measured_concurrency_is_read() -> None:
    assert values(read_bench_json(RESULT | {"max_concurrency": None}))["concurrency"] == 30


def test_the_printed_report_is_told_from_vllms() -> None:
    part = read_bench_text(TEXT)
    found = values(part)
    assert part is not None
    assert part.what == "sglang bench_serving printed report"
    assert (found["e2e_ms_mean"], found["itl_ms_p99"], found["concurrency"], found["total_tok_s"]) == (
        7500,
        120,
        32,
        4608,
    )
