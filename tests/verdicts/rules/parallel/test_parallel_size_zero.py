import pytest

from verdicts.harness import fires, quiet


@pytest.mark.parametrize("version", ["0.8.5", "0.12.0", "0.18.0", "0.22.0"])
def test_no_executor_is_chosen_for_no_stage(version: str) -> None:
    found = fires("parallel-size-zero", "Qwen/Qwen3-8B --pipeline-parallel-size 0", version)
    assert found.flags == ("--pipeline-parallel-size",)


def test_heads_cannot_be_dealt_to_no_rank() -> None:
    found = fires("parallel-size-zero", "Qwen/Qwen3-8B -tp 0", "0.10.0")
    assert found.flags == ("--tensor-parallel-size",)


@pytest.mark.parametrize("version", ["0.11.0", "0.18.0"])
def test_a_tensor_size_of_zero_is_told_once(version: str) -> None:
    quiet("parallel-size-zero", "Qwen/Qwen3-8B -tp 0", version)


def test_one_of_each_is_the_default() -> None:
    quiet("parallel-size-zero", "Qwen/Qwen3-8B -tp 1 -pp 1", "0.18.0")


def test_a_release_that_bounds_both_refuses_zero_by_name() -> None:
    quiet("parallel-size-zero", "Qwen/Qwen3-8B -pp 0", "0.33.0")
    fires("value-out-of-range", "Qwen/Qwen3-8B -pp 0", "0.33.0")


def test_an_executor_named_by_hand_is_not_judged() -> None:
    quiet("parallel-size-zero", "Qwen/Qwen3-8B -pp 0 --distributed-executor-backend mp", "0.18.0")


@pytest.mark.parametrize("version", ["0.8.5", "0.11.0", "0.18.0", "0.22.0"])
@pytest.mark.parametrize("flag", ["-tp", "-pp"])
def test_none_is_chosen_for_less_than_none(flag: str, version: str) -> None:
    assert "-1" in fires("parallel-size-zero", f"Qwen/Qwen3-8B {flag} -1", version).message
    quiet("parallel-size-zero", f"Qwen/Qwen3-8B {flag} -1", "0.23.0")
