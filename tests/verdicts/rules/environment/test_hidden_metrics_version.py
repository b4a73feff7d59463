from verdicts.harness import fires, quiet


def test_a_word_is_no_version() -> None:
    fires("hidden-metrics-version", "Qwen/Qwen3-8B --show-hidden-metrics-for-version all", "0.33.0")


def test_a_release_is() -> None:
    quiet("hidden-metrics-version", "Qwen/Qwen3-8B --show-hidden-metrics-for-version 0.32", "0.33.0")
