from verdicts.configs import AWQ, FP8_BLOCKS
from verdicts.harness import fires, not_checked, quiet


def test_eight_ranks_split_a_group() -> None:
    found = fires("weights-split-groups", "org/dense-awq -tp 8", "0.18.0", model_config=AWQ)
    assert "3456" in found.message or "432" in found.message


def test_two_hold_whole_groups() -> None:
    quiet("weights-split-groups", "org/dense-awq -tp 2", "0.18.0", model_config=AWQ)


def test_blocks_are_split_alike() -> None:
    fires("weights-split-groups", "org/dense-fp8 -tp 8", "0.33.0", model_config=FP8_BLOCKS)


def test_groups_guessed_from_the_name_are_not_enough() -> None:
    assert not_checked("weights-split-groups", "Qwen/Qwen2.5-72B-Instruct-AWQ -tp 8", "0.18.0") == ("model",)


def test_stages_are_added_where_fewer_ranks_do_not_hold_the_weights() -> None:
    deep = {**FP8_BLOCKS, "num_hidden_layers": 4096, "vocab_size": 3_200_000}
    found = fires("weights-split-groups", "org/deep-fp8 -tp 8", "0.33.0", gpu="8x A10", model_config=deep)
    assert {step.name for step in found.steps} == {"--tensor-parallel-size", "--pipeline-parallel-size"}


def test_shared_experts_are_split_even_where_experts_are_not() -> None:
    launch = "deepseek-ai/DeepSeek-V4-Pro -tp 16 --enable-expert-parallel"
    found = fires("weights-split-groups", launch, "0.23.0", gpu="16x H200")
    assert "192" in found.message
    quiet("weights-split-groups", launch.replace("-tp 16", "-tp 8"), "0.23.0", gpu="16x H200")


def test_a_size_that_is_no_multiple_of_a_block_is_held_by_one_rank_alone() -> None:
    odd = {**FP8_BLOCKS, "intermediate_size": 10944}
    fires("weights-split-groups", "org/odd-fp8 -tp 4", "0.15.0", model_config=odd)
    quiet("weights-split-groups", "org/odd-fp8", "0.15.0", model_config=odd)


def test_groups_are_whole_in_the_first_releases_too() -> None:
    fires("weights-split-groups", "a/b -tp 2", "0.7.3", model_config={**AWQ, "intermediate_size": 4160})
