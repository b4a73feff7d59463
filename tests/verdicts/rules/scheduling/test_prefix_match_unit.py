from verdicts.harness import fires, quiet


def test_a_block_holds_whole_units() -> None:
    fires("prefix-match-unit", "Qwen/Qwen3-8B --prefix-match-unit 24", "0.28.0")
    quiet("prefix-match-unit", "Qwen/Qwen3-8B --prefix-match-unit 8", "0.28.0")
    quiet("prefix-match-unit", "Qwen/Qwen3-8B", "0.28.0")
