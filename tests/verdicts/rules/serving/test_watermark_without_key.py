from verdicts.harness import fires, quiet


def test_the_key_has_no_default() -> None:
    fires("watermark-without-key", "Qwen/Qwen3-8B --watermark-config '{}'", "0.33.0")


def test_a_key_is_enough() -> None:
    quiet("watermark-without-key", "Qwen/Qwen3-8B --watermark-config '{\"key\":7}'", "0.33.0")
