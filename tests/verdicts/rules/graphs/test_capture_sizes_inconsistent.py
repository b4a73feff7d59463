from verdicts.harness import fires, quiet


def test_a_maximum_that_is_not_captured_is_refused() -> None:
    found = fires(
        "capture-sizes-inconsistent",
        "Qwen/Qwen3-8B --cudagraph-capture-sizes 1 2 4 --max-cudagraph-capture-size 64",
        "0.33.0",
    )
    assert "64" in found.message


def test_the_list_alone_is_enough() -> None:
    quiet("capture-sizes-inconsistent", "Qwen/Qwen3-8B --cudagraph-capture-sizes 1 2 4", "0.33.0")
