from verdicts.harness import fires, quiet


def test_nothing_cannot_be_captured() -> None:
    fires("capture-size-not-positive", "Qwen/Qwen3-8B --max-cudagraph-capture-size -1", "0.33.0")


def test_without_graphs_nothing_is() -> None:
    quiet("capture-size-not-positive", "Qwen/Qwen3-8B --enforce-eager --max-cudagraph-capture-size -1", "0.33.0")
