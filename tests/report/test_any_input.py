"""Whatever is asked, every tool gives an answer that is valid JSON and text, or an error written for the user."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vllm_triage.report import tools

FLAGS = (
    "--max-num-seqs", "--max-model-len", "--gpu-memory-utilization", "-tp", "--kv-cache-dtype", "--block-size",
    "--max-num-batched-tokens", "--speculative-config", "--quantization", "--enable-lora", "--hf-overrides",
    "--no-enable-chunked-prefill", "--kv-cache-memory-bytes", "--num-gpu-blocks-override", "--data-parallel-size",
    "--enforce-eager",
)
VALUES = (
    "0", "1", "-1", "3", "64", "1k", "1e9", "0.05", "1.7", "nan", "inf", "fp8", "auto", "'{}'", "''",
    "'{\"method\":\"ngram\"}'", "999999999999999999999",
)
MODELS = ("Qwen/Qwen3-8B", "deepseek-ai/DeepSeek-V3", "openai/gpt-oss-20b", "google/gemma-3-27b-it", "x/y", "")
LAUNCHES = st.builds(
    lambda model, flags: " ".join(["vllm serve", model, *(f"{flag} {value}" for flag, value in flags)]),
    st.sampled_from(MODELS), st.lists(st.tuples(st.sampled_from(FLAGS), st.sampled_from(VALUES)), max_size=4),
)
NUMBERS = st.floats(0, 1e12) | st.sampled_from([0.0, 1e-300, 1e12, 50.0])
WHERE = st.fixed_dictionaries({"command": LAUNCHES}, optional={
    "gpu": st.sampled_from(["H100", "8x H200", "cpu", "0x H100", "banana", "T4", "MI300X"]),
    "vllm_version": st.sampled_from(["0.6.6", "0.11.0", "0.18.0", "0.33.0", "99.0"]),
})
METRICS = st.dictionaries(
    st.sampled_from([
        "ttft_ms_mean", "ttft_ms_p99", "itl_ms_mean", "itl_ms_p99", "tpot_ms_mean", "output_tok_s", "total_tok_s",
        "request_rate", "concurrency", "input_tokens", "output_tokens",
    ]), NUMBERS, max_size=11,
)


def answered(name: str, arguments: dict[str, Any]) -> None:
    try:
        answer = tools.call(name, arguments)
    except ValueError as error:
        if not tools.is_domain_error(error):
            raise
        return
    json.dumps(answer.to_json(), allow_nan=False)
    assert answer.to_json()["summary"]
    assert answer.to_text()


@pytest.mark.parametrize("name", ["parse_vllm_command", "estimate_kv_bytes", "check_compat"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WHERE)
def test_any_launch_is_answered(name: str, arguments: dict[str, Any]) -> None:
    answered(name, arguments)


@pytest.mark.parametrize("name", ["estimate_kv_bytes", "check_compat", "diagnose"])
@pytest.mark.parametrize("model", ["Qwen/Qwen3-8B", "deepseek-ai/DeepSeek-V3", "Qwen/Qwen3-Next-80B-A3B-Instruct", "google/gemma-3-27b-it"])
@pytest.mark.parametrize("flag", ["-tp", "-pp", "-dp", "--max-num-seqs", "--num-gpu-blocks-override", "-tp 4294967296 -pp"])
def test_a_number_no_machine_has_is_answered_like_any_other(name: str, model: str, flag: str) -> None:
    answered(name, {"command": f"vllm serve {model} {flag} 999999999999999999999", "gpu": "H100", "vllm_version": "0.18.0"})


def test_a_crowd_no_server_has_is_not_simulated() -> None:
    load = {"ttft_ms_mean": 4000.0, "tpot_ms_mean": 20.0, "output_tok_s": 500.0, "input_tokens": 1000.0, "output_tokens": 100.0}
    answered("diagnose", {"command": "vllm serve Qwen/Qwen3-8B", "gpu": "H100", "concurrency": 1e12, **load})
    changed = {"command": "vllm serve Qwen/Qwen3-8B", "gpu": "H100", "changes": ["--max-num-seqs 8"]}
    users = {"arrivals": "closed", "concurrency": 2_000_000_000, "input": {"mean": 100}, "output": {"mean": 10}}
    told = tools.call("simulate_change", {**changed, "workload": users})
    assert "at most 1,000,000 requests" in told.to_json()["summary"]


@pytest.mark.parametrize("name", ["classify_bottleneck", "diagnose"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WHERE, METRICS)
def test_any_launch_with_any_numbers_is_answered(name: str, where: dict[str, Any], metrics: dict[str, Any]) -> None:
    answered(name, where | metrics)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text(max_size=60) | st.sampled_from([
    "vllm:num_requests_running NaN", "vllm:kv_cache_usage_perc{engine=\"0\"} 7e300", "[]", "{",
    "{\"mean_ttft_ms\": 1}",
    "GPU KV cache size: 0 tokens", "Available KV cache memory: -3.2 GiB", "Output token throughput (tok/s): inf",
    "\x1b",
]), max_size=4))
def test_any_evidence_is_answered(evidence: list[str]) -> None:
    answered("classify_bottleneck", {"evidence": evidence})
    answered("estimate_kv_bytes", {"command": "Qwen/Qwen3-8B", "gpu": "H100", "evidence": evidence})
