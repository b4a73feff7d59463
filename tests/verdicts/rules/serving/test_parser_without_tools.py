from verdicts.harness import fires, quiet


def test_a_parser_alone_is_not_used() -> None:
    assert "hermes" in fires("parser-without-tools", "Qwen/Qwen3-8B --tool-call-parser hermes", "0.33.0").message


def test_with_the_switch_it_is() -> None:
    quiet("parser-without-tools", "Qwen/Qwen3-8B --tool-call-parser hermes --enable-auto-tool-choice", "0.33.0")
