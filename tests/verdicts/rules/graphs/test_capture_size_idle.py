from verdicts.harness import fires, quiet


def test_eager_execution_captures_nothing() -> None:
    fires("capture-size-idle", "Qwen/Qwen3-8B --enforce-eager --max-cudagraph-capture-size 64", "0.33.0")


def test_graphs_are_captured() -> None:
    quiet("capture-size-idle", "Qwen/Qwen3-8B --max-cudagraph-capture-size 64", "0.33.0")
