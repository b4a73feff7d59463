from verdicts.harness import fires, not_checked, quiet


def test_an_unheard_of_parser_is_refused() -> None:
    assert "thinker" in fires("reasoning-parser-unknown", "Qwen/Qwen3-8B --reasoning-parser thinker", "0.33.0").message


def test_qwen3_is_there() -> None:
    quiet("reasoning-parser-unknown", "Qwen/Qwen3-8B --reasoning-parser qwen3", "0.33.0")


def test_a_plugin_that_is_named_may_bring_one() -> None:
    assert not_checked(
        "reasoning-parser-unknown", "VLLM_PLUGINS=own vllm serve Qwen/Qwen3-8B --reasoning-parser mine", "0.33.0"
    ) == ("plugins",)
