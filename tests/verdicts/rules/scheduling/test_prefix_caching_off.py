from verdicts.harness import fires, quiet


def test_shared_prompts_are_computed_again() -> None:
    fires("prefix-caching-off", "Qwen/Qwen3-8B --no-enable-prefix-caching", "0.33.0")


def test_it_is_on_by_default() -> None:
    quiet("prefix-caching-off", "Qwen/Qwen3-8B", "0.33.0")
