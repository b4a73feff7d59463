from verdicts.harness import fires, quiet


def test_a_context_of_zero_is_refused() -> None:
    fires("context-not-positive", "Qwen/Qwen3-8B --max-model-len 0", "0.33.0")


def test_auto_asks_for_what_fits() -> None:
    quiet("context-not-positive", "Qwen/Qwen3-8B --max-model-len auto", "0.33.0")
