from verdicts.harness import fires, quiet


def test_a_maximum_above_the_budget_is_cut() -> None:
    found = fires(
        "capture-size-truncated",
        "Qwen/Qwen3-8B --max-num-batched-tokens 512 --max-num-seqs 128 --max-cudagraph-capture-size 4096",
        "0.33.0",
    )
    assert "4096" in found.message


def test_one_within_it_stays() -> None:
    quiet("capture-size-truncated", "Qwen/Qwen3-8B --max-cudagraph-capture-size 512", "0.33.0")
