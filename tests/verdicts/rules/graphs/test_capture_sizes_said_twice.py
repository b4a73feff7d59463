from verdicts.harness import fires, quiet


def test_sizes_said_twice_are_refused() -> None:
    fires(
        "capture-sizes-said-twice",
        "Qwen/Qwen3-8B --cudagraph-capture-sizes 1 2 4 --compilation-config '{\"cudagraph_capture_sizes\":[1,2]}'",
        "0.33.0",
    )


def test_said_once_they_are_fine() -> None:
    quiet(
        "capture-sizes-said-twice",
        "Qwen/Qwen3-8B --compilation-config '{\"cudagraph_capture_sizes\":[1,2]}'",
        "0.33.0",
    )
