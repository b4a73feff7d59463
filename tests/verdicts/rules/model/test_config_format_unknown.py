from verdicts.harness import fires, quiet


def test_a_word_is_no_format() -> None:
    assert "gguf" in fires("config-format-unknown", "Qwen/Qwen3-8B --config-format gguf", "0.33.0").message


def test_mistral_is() -> None:
    quiet("config-format-unknown", "Qwen/Qwen3-8B --config-format mistral", "0.33.0")
