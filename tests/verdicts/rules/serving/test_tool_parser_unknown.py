from verdicts.harness import fires, not_checked, quiet


def test_a_parser_of_a_later_release_is_named() -> None:
    found = fires(
        "tool-parser-unknown", "Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser deepseek_v4", "0.18.0"
    )
    assert "it comes with" in found.message


def test_hermes_is_there() -> None:
    quiet("tool-parser-unknown", "Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser hermes", "0.18.0")


def test_a_plugin_that_is_named_may_bring_one() -> None:
    assert not_checked(
        "tool-parser-unknown",
        "VLLM_PLUGINS=own vllm serve Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser mine",
        "0.33.0",
    ) == ("plugins",)
