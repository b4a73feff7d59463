from verdicts.harness import fires, quiet


def test_a_parser_of_a_later_release_is_named() -> None:
    found = fires(
        "tool-parser-unknown", "Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser deepseek_v4", "0.18.0"
    )
    assert "it comes with" in found.message


def test_hermes_is_there() -> None:
    quiet("tool-parser-unknown", "Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser hermes", "0.18.0")
