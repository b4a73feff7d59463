"""Environment variables by release."""

import pytest

from vllm_triage.facts import env


def test_a_variable_the_release_reads_says_what_it_does() -> None:
    assert env.note("VLLM_USE_V2_MODEL_RUNNER", "0.33.0") == "chooses the model runner"
    assert env.note("VLLM_API_KEY", "0.33.0") == ""


def test_a_variable_that_is_gone_says_since_when() -> None:
    assert env.note("VLLM_USE_V1", "0.10.2") != env.note("VLLM_USE_V1", "0.33.0")
    assert "not read since" in env.note("VLLM_USE_V1", "0.33.0")


def test_a_variable_that_comes_later_says_from_when() -> None:
    assert env.note("VLLM_USE_V2_MODEL_RUNNER", "0.8.5").startswith("vLLM 0.8.5 ignores it: read from ")


def test_a_misspelt_variable_is_named_with_its_nearest() -> None:
    assert "did you mean VLLM_LOGGING_LEVEL?" in env.note("VLLM_LOGING_LEVEL", "0.33.0")
    assert env.note("VLLM_QQQ_ZZZ_XXX", "0.33.0") == "no release of vLLM reads it"


@pytest.mark.parametrize("name", ["HF_TOKEN", "CUDA_VISIBLE_DEVICES", "NCCL_DEBUG"])
def test_a_variable_of_another_program_is_left_alone(name: str) -> None:
    assert env.note(name, "0.33.0") == ""


def test_every_variable_with_an_effect_is_one_that_vllm_reads() -> None:
    assert [name for name in env.EFFECTS if env.history(name) is None] == []
