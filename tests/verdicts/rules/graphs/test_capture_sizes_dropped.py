from verdicts.harness import fires, quiet


def test_a_size_above_the_budget_is_dropped() -> None:
    found = fires(
        "capture-sizes-dropped",
        "Qwen/Qwen3-8B --max-num-batched-tokens 512 --max-num-seqs 128 --cudagraph-capture-sizes 1 2 4 1024",
        "0.33.0",
    )
    assert "1 of 4" in found.message


def test_sizes_within_it_are_captured() -> None:
    quiet(
        "capture-sizes-dropped",
        "Qwen/Qwen3-8B --max-num-batched-tokens 2048 --cudagraph-capture-sizes 1 2 4 1024",
        "0.33.0",
    )


def test_a_list_wholly_above_the_budget_captures_nothing() -> None:
    found = fires("capture-sizes-dropped", "Qwen/Qwen3-8B --cudagraph-capture-sizes 1000000", "0.33.0")
    assert found.changed[0].got == []
