from verdicts.harness import fires, quiet


def test_three_ranks_cannot_share_evenly() -> None:
    found = fires("experts-not-divisible", "Qwen/Qwen3-30B-A3B -dp 3 --enable-expert-parallel --enable-eplb", "0.33.0")
    assert "128 experts" in found.message


def test_four_can() -> None:
    quiet("experts-not-divisible", "Qwen/Qwen3-30B-A3B -dp 4 --enable-expert-parallel --enable-eplb", "0.33.0")
