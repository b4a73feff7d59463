from verdicts.harness import fires, quiet


def test_a_word_is_no_object() -> None:
    fires("object-expected", "Qwen/Qwen3-8B --hf-overrides rope", "0.33.0")


def test_an_object_is() -> None:
    quiet("object-expected", "Qwen/Qwen3-8B --hf-overrides '{\"rope_theta\":1000000}'", "0.33.0")
