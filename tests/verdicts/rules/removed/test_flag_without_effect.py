from verdicts.harness import fires, quiet


def test_nothing_is_swapped() -> None:
    assert "--swap-space" in fires("flag-without-effect", "Qwen/Qwen3-8B --swap-space 4", "0.17.1").message


def test_the_flag_is_refused_later() -> None:
    quiet("flag-without-effect", "Qwen/Qwen3-8B --max-num-seqs 8", "0.17.1")
