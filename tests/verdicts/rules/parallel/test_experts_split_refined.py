from verdicts.harness import fires, quiet


def test_scales_are_refined_to_fit() -> None:
    found = fires("experts-split-refined", "Qwen/Qwen3-235B-A22B-FP8 -tp 8", "0.33.0")
    assert "64 x 64" in found.message


def test_four_ranks_hold_whole_blocks() -> None:
    quiet("experts-split-refined", "Qwen/Qwen3-235B-A22B-FP8 -tp 4", "0.33.0")
