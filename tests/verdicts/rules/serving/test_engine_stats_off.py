from verdicts.harness import fires, quiet


def test_nothing_is_counted() -> None:
    fires("engine-stats-off", "Qwen/Qwen3-8B --disable-log-stats", "0.33.0")


def test_counters_are_on_by_default() -> None:
    quiet("engine-stats-off", "Qwen/Qwen3-8B", "0.33.0")
