from verdicts.harness import fires, quiet


def test_level_zero_has_no_graphs() -> None:
    fires("optimization-level-low", "Qwen/Qwen3-8B -O0", "0.33.0")


def test_level_two_has() -> None:
    quiet("optimization-level-low", "Qwen/Qwen3-8B -O2", "0.33.0")
