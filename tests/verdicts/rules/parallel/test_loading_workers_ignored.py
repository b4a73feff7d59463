from verdicts.harness import fires, quiet


def test_loading_is_not_limited() -> None:
    fires("loading-workers-ignored", "Qwen/Qwen3-8B -tp 2 --max-parallel-loading-workers 1", "0.33.0")


def test_nothing_is_asked() -> None:
    quiet("loading-workers-ignored", "Qwen/Qwen3-8B -tp 2", "0.33.0")
