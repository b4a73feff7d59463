from verdicts.harness import fires, quiet


def test_an_ordinary_model_has_no_tables_to_keep() -> None:
    fires("engram-unsupported", "Qwen/Qwen3-8B --engram-config '{}'", "0.33.0")


def test_without_the_flag_nothing_is_said() -> None:
    quiet("engram-unsupported", "Qwen/Qwen3-8B", "0.33.0")
