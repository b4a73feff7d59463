from verdicts.harness import fires, quiet


def test_there_is_no_level_four() -> None:
    assert "level 4" in fires("optimization-level-unknown", "Qwen/Qwen3-8B -O4", "0.33.0").message


def test_there_is_a_level_three() -> None:
    quiet("optimization-level-unknown", "Qwen/Qwen3-8B -O3", "0.33.0")
