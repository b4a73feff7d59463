import pytest

from vllm_triage.readers.bench import read_bench_json

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
