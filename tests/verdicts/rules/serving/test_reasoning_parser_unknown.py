from verdicts.harness import fires, quiet


def test_an_unheard_of_parser_is_refused() -> None:
    assert "thinker" in fires("reasoning-parser-unknown", "Qwen/Qwen3-8B --reasoning-parser thinker", "0.33.0").message


def test_qwen3_is_there() -> None:
    quiet("reasoning-parser-unknown", "Qwen/Qwen3-8B --reasoning-parser qwen3", "0.33.0")
