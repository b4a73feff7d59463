"""A change is read as a launch's words are."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.domain import Json
from vllm_triage.readers.changes import ReadChange, read_change

GIVEN: dict[str, Json] = {
    "enforce_eager": True, "max_num_seqs": 64, "speculative_config": {"method": "ngram", "num_speculative_tokens": 5},
}  # fmt: skip


def read(text: str, version: str = "0.33.0") -> ReadChange:
    return read_change(text, version, given=GIVEN, model="Qwen/Qwen3-8B")


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("--max-num-seqs 512", {"max_num_seqs": 512}),
        ("--kv-cache-dtype fp8 --max-num-batched-tokens 4k", {"kv_cache_dtype": "fp8", "max_num_batched_tokens": 4000}),
        ("--max_num_seqs=8, --block-size 32", {"max_num_seqs": 8, "block_size": 32}),
        ("max_num_seqs=512", {"max_num_seqs": 512}),
        ("-tp 2", {"tensor_parallel_size": 2}),
        ("--no-enable-prefix-caching", {"enable_prefix_caching": False}),
        ("without --enforce-eager", {"enforce_eager": None}),
        ("without --max-num-seqs 64 --block-size 32", {"max_num_seqs": None, "block_size": 32}),
        ("--block-size 32 and without --enforce-eager", {"enforce_eager": None, "block_size": 32}),
        ("without --enforce-eager and --max-num-seqs", {"enforce_eager": None, "max_num_seqs": None}),
        ("without --enforce-eager, --block-size 32", {"enforce_eager": None, "block_size": 32}),
    ],
)
def test_flags_are_set_and_taken_out_as_said(text: str, changes: dict[str, Any]) -> None:
    found = read(text)
    assert (found.changes, found.problems) == (changes, ())


def test_a_part_of_a_configuration_leaves_the_rest_of_it_as_it_is() -> None:
    found = read("--speculative-config.num_speculative_tokens 2")
    assert found.changes == {"speculative_config": {"method": "ngram", "num_speculative_tokens": 2}}


def test_a_whole_launch_is_the_difference_to_the_one_there_is() -> None:
    found = read("vllm serve Qwen/Qwen3-8B --max-num-seqs 64 --block-size 32")
    assert found.changes == {"enforce_eager": None, "speculative_config": None, "block_size": 32}


def test_another_model_is_no_change_of_this_launch() -> None:
    assert read("vllm serve Qwen/Qwen3-32B --max-num-seqs 64").refused


def test_an_environment_variable_is_set_beside_the_flags() -> None:
    found = read("VLLM_ATTENTION_BACKEND=FLASHINFER --max-num-seqs 4")
    assert (found.env, found.changes) == ({"VLLM_ATTENTION_BACKEND": "FLASHINFER"}, {"max_num_seqs": 4})


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("--max-num-sqes 3", "unknown-flag", "did you mean --max-num-seqs?"),
        ("without --enforce-eagr", "unknown-flag", "did you mean --enforce-eager?"),
        ("--swap-space 4", "removed", "leave it out"),
        ("--max-num-seqs abc", "invalid-value", ""),
        ("banana", "stray-word", ""),
        ("", "no-change", "a change is vLLM flags"),
        ("$(rm -rf /)", "no-change", "a change is vLLM flags"),
    ],
)
def test_what_this_release_does_not_take_is_a_named_problem(text: str, code: str, said: str) -> None:
    found = read(text)
    assert found.refused
    problem = next(problem for problem in found.problems if problem.severity == "fatal")
    assert problem.code == code
    assert said in problem.fix


def test_words_that_are_no_flags_are_named_and_not_dropped() -> None:
    found = read("--max-num-seqs 512 but I am not sure")
    assert found.changes == {"max_num_seqs": 512}
    assert any("but I am not sure" in problem.message for problem in found.problems)


def test_taking_out_what_was_not_given_is_said() -> None:
    found = read("without --block-size")
    assert [(problem.code, problem.severity) for problem in found.problems] == [("not-given", "warning")]
    assert not found.refused


def test_a_secret_in_a_change_is_not_shown() -> None:
    assert "hf_abcdefghijklmnopqrstuvwxyzabcdefgh" not in read("--hf-token hf_abcdefghijklmnopqrstuvwxyzabcdefgh").text


@settings(max_examples=60)
@given(st.text(max_size=80) | st.lists(st.sampled_from(
    ["without", "--max-num-seqs", "512", "and", ",", "--enforce-eager", "'{'", "--", "-", "x=1", "A=1", "vllm serve", "max_num_seqs=x"],
), max_size=6).map(" ".join))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    found = read(text)
    assert found.changes or found.env or found.problems
    assert all(problem.message for problem in found.problems)
