"""The whole answer: measured beats predicted, unknown is said, and the known truths come out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from vllm_triage.domain import MemoryBudget, PoolReading
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared"))


def answer(
    words: str,
    version: str = "0.19.0",
    gpu: str | None = "H100",
    read: PoolReading | None = None,
    **asked: float,
) -> MemoryBudget:
    deployment = deploy(f"vllm serve {words}", vllm_version=version, gpu=gpu)
    given_gib = asked.get("available_kv_gib")
    tokens = {name: int(asked[name]) for name in ("input_tokens", "output_tokens") if name in asked}
    return estimate(deployment, read, given_gib, **tokens)


@pytest.mark.parametrize(
    ("words", "gpu", "tokens"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", "H100", 443_500),
        ("openai/gpt-oss-20b --max-model-len 8192", "H100", 1_190_000),
        ("google/gemma-3-27b-it --max-model-len 8192 --gpu-memory-utilization 0.95", "H100", 36_560),
    ],
)
def test_the_predicted_pool_is_within_three_percent_of_the_truth(words: str, gpu: str, tokens: int) -> None:
    pool = answer(words, gpu=gpu).pool
    assert pool is not None
    assert pool.basis == "predicted"
    assert pool.tokens == pytest.approx(tokens, rel=0.03)


def test_deepseek_v3_on_eight_h200_holds_half_a_million_tokens_and_more() -> None:
    found = answer("deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8", "0.33.0", "8x H200")
    assert (found.kv_bytes_per_token, found.kv_bytes_per_token_per_gpu) == (70_272, 70_272)
    assert found.pool is not None
    assert 500_000 < (found.pool.tokens or 0) < 700_000


def test_gemma_3_27b_has_the_blocks_its_log_printed() -> None:
    """15,997 blocks for a printed 19.53 GiB; the two decimals of the print are worth four blocks either way."""
    words = "google/gemma-3-27b-it --max-model-len 8192 --gpu-memory-utilization 0.95"
    low, mid, high = (answer(words, available_kv_gib=gib).pool for gib in (19.525, 19.53, 19.535))
    assert low is not None
    assert mid is not None
    assert high is not None
    assert (low.blocks or 0) <= 15_997 <= (high.blocks or 0)
    assert abs((mid.blocks or 0) - 15_997) <= 2
    assert mid.max_concurrency == pytest.approx(4.456, abs=0.001)


def test_given_bytes_are_measured_and_pinned_ones_are_known() -> None:
    given_gib = answer("Qwen/Qwen3-8B", available_kv_gib=40.0)
    assert given_gib.pool is not None
    assert (given_gib.pool.basis, given_gib.pool.blocks) == ("measured", 40 * 2**30 // (16 * 147_456))
    pinned = answer("Qwen/Qwen3-8B --kv-cache-memory-bytes 40G")
    assert pinned.pool is not None
    assert (pinned.pool.basis, pinned.pool.blocks) == ("predicted", given_gib.pool.blocks)
    bounds = pinned.budget.kv_pool_gib
    assert bounds is not None
    assert bounds.low == bounds.mid == bounds.high == 40.0


def test_a_log_outranks_the_prediction_and_its_differences_are_named() -> None:
    read = PoolReading(tokens=300_000, blocks=18_750, available_kv_gib=36.6, max_concurrency=2.29, max_model_len=131_072,
                       weights_gib=14.99, activation_gib=4.76, total_gib=79.19)  # fmt: skip
    found = answer("meta-llama/Llama-3.1-8B-Instruct", read=read, input_tokens=1000, output_tokens=600)
    assert found.pool is not None
    assert (found.pool.tokens, found.pool.blocks, found.pool.basis) == (300_000, 18_750, "measured")
    assert found.budget.activation_gib == 4.76
    assert any("activation: the log says 4.76 GiB, 2.86 GiB more than predicted" in note for note in found.assumptions)
    assert any(note.startswith("KV pool: the log says 36.60 GiB") for note in found.assumptions)
    assert not any(note.startswith("weights") for note in found.assumptions)
    assert found.capacity is not None
    assert found.capacity.requests == pytest.approx(18_749 / 100, abs=0.01)


@pytest.mark.parametrize("version", ["0.18.0", "0.33.0"])
def test_tokens_alone_give_the_blocks_back(version: str) -> None:
    whole = answer("Qwen/Qwen3-8B", version, available_kv_gib=40.0).pool
    assert whole is not None
    back = answer("Qwen/Qwen3-8B", version, gpu=None, read=PoolReading(tokens=whole.tokens)).pool
    assert back is not None
    assert (back.blocks, back.basis) == (whole.blocks, "measured")


def test_an_override_replaces_what_memory_would_give() -> None:
    pool = answer("Qwen/Qwen3-8B --max-model-len 4096 --num-gpu-blocks-override 512", "0.33.0").pool
    assert pool is not None
    assert (pool.blocks, pool.max_concurrency) == (512, 2.0)


def test_an_automatic_length_shrinks_to_the_pool() -> None:
    found = answer("Qwen/Qwen3-32B --max-model-len auto", "0.33.0")
    assert found.problems == ()
    assert found.pool is not None
    assert 20_000 < (found.pool.max_model_len or 0) < 40_960


def test_no_numbers_of_a_gpu_are_used_for_a_cpu() -> None:
    found = answer("Qwen/Qwen3-8B", "0.32.0", gpu="cpu")
    assert found.pool is None
    assert found.budget.total_gib is None
    assert found.budget.kv_pool_gib is None
    assert any("CPU" in note for note in found.not_modelled)
    assert found.groups == ()
    assert found.kv_bytes_per_token == 147_456
    pinned = answer("Qwen/Qwen3-8B --kv-cache-memory-bytes 4G", "0.32.0", gpu="cpu").pool
    assert pinned is not None
    assert pinned.blocks == 4 * 2**30 // (128 * 147_456)


def test_an_unknown_device_is_said_and_never_guessed() -> None:
    found = answer("Qwen/Qwen3-8B", gpu=None)
    assert found.pool is None
    assert found.budget.total_gib is None
    assert any("the GPU is not known" in note for note in found.not_modelled)
    given_gib = answer("Qwen/Qwen3-8B", gpu=None, available_kv_gib=10.0)
    assert given_gib.pool is not None
    assert not any("the GPU is not known" in note for note in given_gib.not_modelled)


def test_an_unknown_model_is_answered_from_the_log_alone() -> None:
    found = answer("org/unheard-of", read=PoolReading(tokens=1000, available_kv_gib=3.0))
    assert found.kv_bytes_per_token is None
    assert found.pool is not None
    assert (found.pool.tokens, found.pool.basis) == (1000, "measured")
    assert "config.json" in found.not_modelled[0]
    assert answer("org/unheard-of").pool is None


def test_unified_memory_is_said() -> None:
    assert any("unified memory" in note for note in answer("Qwen/Qwen3-8B", "0.33.0", "GB10").assumptions)


def test_each_data_parallel_engine_has_its_own_pool() -> None:
    found = answer("Qwen/Qwen3-8B --data-parallel-size 4", "0.33.0", "4x H100")
    assert any("4 data-parallel engines" in note for note in found.assumptions)


def test_offloaded_prefixes_hold_no_running_request() -> None:
    found = answer("Qwen/Qwen3-8B --kv-offloading-size 32", "0.33.0")
    assert found.pool == answer("Qwen/Qwen3-8B", "0.33.0").pool
    assert any("host memory" in note for note in found.assumptions)


def test_capacity_counts_whole_blocks_at_the_end_of_the_output() -> None:
    found = answer("Qwen/Qwen3-8B", "0.33.0", available_kv_gib=40.0, input_tokens=1000, output_tokens=500)
    assert found.capacity is not None
    assert found.pool is not None
    assert found.capacity.requests == pytest.approx(((found.pool.blocks or 0) - 1) / 94, abs=0.01)
    assert answer("Qwen/Qwen3-8B").capacity is None
    assert any("share a prefix take its blocks once" in note for note in found.assumptions)


def test_hybrids_save_nothing_on_requests_shorter_than_a_step() -> None:
    """A window reserves for the tokens in flight, so at lengths under the token budget it holds every token."""
    found = answer("google/gemma-3-27b-it --max-model-len 4096", available_kv_gib=19.53)
    assert found.pool is not None
    assert found.pool.max_concurrency == pytest.approx(15_998 / (256 + 6 * 257), abs=0.001)


def test_caches_that_cannot_be_laid_out_are_a_problem_not_a_crash() -> None:
    words = "Qwen/Qwen3-Next-80B-A3B-Instruct --disable-hybrid-kv-cache-manager"
    found = answer(words, "0.18.0", "4x H100", available_kv_gib=10.0)
    assert [problem.code for problem in found.problems] == ["kv-layout"]
    assert found.pool is None
    assert found.kv_bytes_per_token == 24_576


def test_recurrent_state_lies_beside_the_pool_before_0_10() -> None:
    before, after = (answer("ai21labs/AI21-Jamba-1.5-Mini", version, "4x H100", available_kv_gib=10.0)
                     for version in ("0.8.5", "0.12.0"))  # fmt: skip
    assert [group.kind for group in before.groups] == ["FullAttention"]
    assert {group.kind for group in after.groups} == {"FullAttention", "State"}
    assert any("beside the pool" in note for note in before.not_modelled)


@limits(max_examples=30, deadline=None)
@given(
    st.sampled_from(
        ["Qwen/Qwen3-8B", "openai/gpt-oss-20b", "deepseek-ai/DeepSeek-V2-Lite", "Qwen/Qwen3-Next-80B-A3B-Instruct"]
    ),
    st.sampled_from(["0.8.5", "0.11.2", "0.18.0", "0.25.1", "0.33.0"]),
    st.floats(0.1, 100.0),
    st.integers(1, 65_536),
)
def test_every_answer_adds_up(model: str, version: str, gib: float, length: int) -> None:
    found = answer(f"{model} --max-model-len {length}", version, "4x H100", available_kv_gib=gib)
    assert found.pool is not None
    block = max(group.page_bytes * group.layers for group in found.groups)
    assert (found.pool.blocks or 0) * block <= gib * 2**30 + 1
    assert json.loads(found.model_dump_json())


@pytest.mark.skipif(not (SHARED / "corpus" / "pool.jsonl").exists(), reason="the public startup records are not here")
def test_public_startup_records_are_predicted_within_the_published_error() -> None:
    tool = ROOT / "tools" / "measure_pool.py"
    run = [sys.executable, str(tool), str(SHARED / "corpus" / "pool.jsonl"), "--json"]
    found = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)  # noqa: S603
    assert found["records"] >= 80
    assert found["median_error"] <= 0.03
    assert found["p90_error"] <= 0.08
    assert found["coverage"] >= 0.80
    assert found["tokens_exact"] / found["tokens_records"] >= 0.9


@pytest.mark.parametrize("value", [0, -1])
@pytest.mark.parametrize(
    "flag", ["-tp", "-pp", "-dp", "--decode-context-parallel-size", "--prefill-context-parallel-size"]
)
@pytest.mark.parametrize("name", ["Qwen/Qwen3-8B", "deepseek-ai/DeepSeek-V4-Flash", "Qwen/Qwen3.5-27B"])
def test_a_parallel_size_vllm_refuses_is_sized_as_one(name: str, flag: str, value: int) -> None:
    asked = answer(f"{name} {flag} {value}", "0.25.0")
    assert asked.kv_bytes_per_token == answer(name, "0.25.0").kv_bytes_per_token


def test_one_launch_is_sized_once_for_the_same_question_and_anew_for_another() -> None:
    launch = deploy("vllm serve Qwen/Qwen3-8B", vllm_version="0.33.0", gpu="H100")
    first = estimate(launch, input_tokens=100, output_tokens=10)
    assert estimate(launch, input_tokens=100, output_tokens=10) is first
    assert estimate(launch, PoolReading(available_kv_gib=1.0), input_tokens=100, output_tokens=10).pool != first.pool
    other = launch.but(problems=())
    assert estimate(other, input_tokens=100, output_tokens=10) is not first
