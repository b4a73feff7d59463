from verdicts.harness import fires, not_checked, quiet


def test_a_word_is_no_format() -> None:
    assert "gguf" in fires("config-format-unknown", "Qwen/Qwen3-8B --config-format gguf", "0.33.0").message


def test_mistral_is() -> None:
    quiet("config-format-unknown", "Qwen/Qwen3-8B --config-format mistral", "0.33.0")


def test_a_plugin_that_is_named_may_bring_one() -> None:
    assert not_checked(
        "config-format-unknown", "VLLM_PLUGINS=own vllm serve Qwen/Qwen3-8B --config-format mine", "0.33.0"
    ) == ("plugins",)
