import pytest

from vllm_triage.readers.bench import llmperf, read_bench_json

SUMMARY = {
    "model": "m",
    "num_concurrent_requests": 5,
    "results_inter_token_latency_s_mean": 0.0119,
    "results_ttft_s_mean": 0.25,
    "results_ttft_s_quantiles_p50": 0.24,
    "results_ttft_s_quantiles_p99": 0.58,
    "results_end_to_end_latency_s_mean": 1.24,
    "results_end_to_end_latency_s_quantiles_p99": 2.0,
    "results_number_input_tokens_mean": 256,
    "results_number_output_tokens_mean": 100,
    "results_mean_output_throughput_token_per_s": 400.0,
    "results_num_completed_requests_per_min": 240.0,
    "results_num_completed_requests": 60,
}


def test_seconds_and_minutes_become_milliseconds_and_seconds() -> None:
    part = read_bench_json(SUMMARY)
    assert part is not None
    found = {r.name: r.value for r in part.readings}
    assert (found["ttft_ms_mean"], found["ttft_ms_p99"], found["e2e_ms_p99"]) == (250, 580, 2000)
    assert (found["request_rate"], found["concurrency"], found["total_tok_s"]) == (4, 5, 400 + 4 * 256)


def test_its_inter_token_latency_holds_the_first_token_and_is_replaced_by_arithmetic() -> None:
    part = read_bench_json(SUMMARY)
    assert part is not None
    found = {r.name: r.value for r in part.readings}
    assert found["tpot_ms_mean"] == pytest.approx((1240 - 250) / 99)
    assert not any(name.startswith("itl") for name in found)
    assert any("no ITL" in line for line in part.unread)


def test_the_nested_form_is_the_same() -> None:
    nested = {"num_concurrent_requests": 5, "results": {"ttft_s": {"mean": 0.25, "quantiles": {"p99": 0.58}}}}
    part = read_bench_json(nested)
    assert part is not None
    assert part.get("ttft_ms_mean") == 250
    assert part.get("ttft_ms_p99") == pytest.approx(580)


PRINTED = """\\Results for token benchmark for m queried with the openai api.

inter_token_latency_s
    p25 = 0.02
    p50 = 0.03
    mean = 0.031
ttft_s
    p25 = 1.5
    p50 = 2.0
    p90 = 3.0
    p99 = 6.0
    mean = 2.1
    stddev = 0.2
end_to_end_latency_s
    p50 = 8.0
    mean = 8.4
number_input_tokens
    mean = 577.5
number_output_tokens
    mean = 157.5
Number Of Errored Requests: 2
Overall Output Throughput: 900.5
Number Of Completed Requests: 300
Completed Requests Per Minute: 360.0
"""


def test_what_it_prints_is_read_like_its_summary() -> None:
    part = llmperf.read_text(PRINTED)
    assert part is not None
    assert part.get("ttft_ms_mean") == pytest.approx(2100)
    assert part.get("ttft_ms_p90") == pytest.approx(3000)
    assert part.get("tpot_ms_mean") == pytest.approx((8400 - 2100) / 156.5)
    assert part.get("output_tok_s") == 900.5
    assert part.get("concurrency") == pytest.approx(6 * 8.4)
    assert part.get("failed") == 2
    assert part.get("itl_ms_mean") is None
