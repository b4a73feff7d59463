from verdicts.harness import fires, not_checked, quiet


def test_32_heads_do_not_divide_by_three() -> None:
    assert "32 attention heads" in fires("heads-not-divisible", "Qwen/Qwen3-8B -tp 3", "0.33.0").message


def test_they_divide_by_four() -> None:
    quiet("heads-not-divisible", "Qwen/Qwen3-8B -tp 4", "0.33.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("heads-not-divisible", "nobody/unheard-of -tp 3", "0.33.0", gpu="H100") == ("model",)
