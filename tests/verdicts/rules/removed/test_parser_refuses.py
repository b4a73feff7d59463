from verdicts.harness import fires, quiet


def test_a_removed_flag_is_refused() -> None:
    fires("parser-refuses", "Qwen/Qwen3-8B --swap-space 4", "0.18.0")


def test_the_flag_was_still_there_in_0_17() -> None:
    quiet("parser-refuses", "Qwen/Qwen3-8B --swap-space 4", "0.17.1")
