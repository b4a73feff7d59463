from verdicts.harness import fires, quiet


def test_eight_ranks_split_a_block() -> None:
    found = fires("experts-split-blocks", "Qwen/Qwen3-235B-A22B-FP8 -tp 8", "0.18.0")
    assert "192" in found.message


def test_ranks_of_data_parallelism_split_experts_too() -> None:
    fires("experts-split-blocks", "Qwen/Qwen3-235B-A22B-FP8 -tp 4 -dp 2", "0.18.0")


def test_four_ranks_hold_whole_blocks() -> None:
    quiet("experts-split-blocks", "Qwen/Qwen3-235B-A22B-FP8 -tp 4", "0.18.0")


def test_experts_kept_whole_are_not_split() -> None:
    quiet("experts-split-blocks", "Qwen/Qwen3-235B-A22B-FP8 -tp 8 --enable-expert-parallel", "0.18.0")


def test_refined_scales_fit() -> None:
    quiet("experts-split-blocks", "Qwen/Qwen3-235B-A22B-FP8 -tp 8", "0.33.0")
