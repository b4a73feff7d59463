from verdicts.harness import fires, quiet


def test_tool_choice_needs_a_parser() -> None:
    fires("tool-choice-without-parser", "Qwen/Qwen3-8B --enable-auto-tool-choice", "0.33.0")


def test_with_one_it_starts() -> None:
    quiet("tool-choice-without-parser", "Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser hermes", "0.33.0")
