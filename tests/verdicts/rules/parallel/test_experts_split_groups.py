from verdicts.configs import GPTQ_EXPERTS
from verdicts.harness import fires, not_checked, quiet


def test_eight_ranks_split_a_group() -> None:
    found = fires("experts-split-groups", "org/experts-gptq -tp 8", "0.9.1", model_config=GPTQ_EXPERTS)
    assert "192" in found.message


def test_four_hold_whole_groups() -> None:
    quiet("experts-split-groups", "org/experts-gptq -tp 4", "0.9.1", model_config=GPTQ_EXPERTS)


def test_groups_guessed_from_the_name_are_not_enough() -> None:
    assert not_checked("experts-split-groups", "Qwen/Qwen3-235B-A22B-GPTQ-Int4 -tp 8", "0.9.1") == ("model",)
