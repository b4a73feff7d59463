"""How many requests fit, and the length at which they no longer do."""

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from vllm_triage.domain import Capacity, MemoryBudget, PoolReading
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate

MODELS = (
    "Qwen/Qwen3-8B",
    "google/gemma-3-27b-it",
    "openai/gpt-oss-20b",
    "Qwen/Qwen3.5-27B",
    "deepseek-ai/DeepSeek-V4-Flash",
)


def sized(words: str, gib: float, version: str = "0.32.0", **asked: int) -> MemoryBudget:
    return estimate(deploy(f"vllm serve {words}", vllm_version=version, gpu="H100"), available_kv_gib=gib, **asked)


def capacity(words: str, gib: float, **asked: int) -> Capacity:
    found = sized(words, gib, **asked).capacity
    assert found is not None
    return found


@limits(max_examples=40, deadline=None)
@given(st.sampled_from(MODELS), st.floats(2, 60), st.integers(1, 300), st.integers(0, 4000))
def test_one_token_more_than_the_longest_prompt_does_not_fit(name: str, gib: float, count: int, output: int) -> None:
    words = f"{name} --max-model-len 32768"
    longest = capacity(words, gib, concurrency=count, output_tokens=output)
    prompt = longest.longest_input_at_concurrency
    assert prompt is not None
    if prompt:
        assert capacity(words, gib, input_tokens=prompt, output_tokens=output).requests >= count - 0.01
    if longest.limit == "pool" and prompt + output < 32768:
        assert capacity(words, gib, input_tokens=prompt + 1, output_tokens=output).requests < count + 0.01


def test_a_prompt_and_its_output_stay_within_the_model_length() -> None:
    found = capacity("Qwen/Qwen3-8B --max-model-len 8192", 40, input_tokens=1000, output_tokens=192)
    assert (found.longest_input_tokens, found.limit, found.concurrency) == (8000, "max_model_len", None)


def test_the_prompt_of_a_given_concurrency_stands_where_none_was_asked_for() -> None:
    found = capacity("Qwen/Qwen3-8B", 40, concurrency=100, output_tokens=100)
    assert found.input_tokens == found.longest_input_at_concurrency
    assert found.requests >= 100


@pytest.mark.parametrize(("version", "gib"), [("0.18.0", 0.6), ("0.32.0", 3.0)])
@pytest.mark.parametrize("name", MODELS[:4])
def test_the_largest_model_length_starts_and_one_block_more_does_not(name: str, version: str, gib: float) -> None:
    pool = sized(f"{name} --max-model-len 1024", gib, version).pool
    assert pool is not None
    longest = pool.largest_max_model_len
    assert longest is not None
    problems = [sized(f"{name} --max-model-len {n}", gib, version).problems for n in (longest, longest + 1024)]
    shape = deploy(name).model
    assert shape is not None
    bound = longest < (shape.derived_max_model_len or 0)  # 0.18 looks at the first group alone: a window's never grows
    assert bound or version == "0.18.0"
    assert [any(problem.code == "max-len-exceeds-kv" for problem in found) for found in problems] == [False, bound]


def test_a_large_pool_is_bound_by_the_model_itself() -> None:
    pool = sized("Qwen/Qwen3-8B --max-model-len 1024", 60.0).pool
    assert pool is not None
    assert pool.largest_max_model_len == 40_960


def test_a_pool_known_by_its_blocks_alone_has_a_longest_length_too() -> None:
    deployment = deploy("vllm serve Qwen/Qwen3-8B --max-model-len 1024", vllm_version="0.18.0")
    pool = estimate(deployment, PoolReading(blocks=500)).pool
    assert pool is not None
    assert pool.largest_max_model_len == 8000
