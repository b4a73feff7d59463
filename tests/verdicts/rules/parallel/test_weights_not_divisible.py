from verdicts.harness import fires, not_checked, quiet


def test_40_heads_divide_by_five_but_the_vocabulary_does_not() -> None:
    assert "rows of the vocabulary" in fires("weights-not-divisible", "Qwen/Qwen3-14B -tp 5", gpu="8x H100").message


def test_both_divide_by_four() -> None:
    quiet("weights-not-divisible", "Qwen/Qwen3-14B -tp 4", gpu="8x H100")


def test_heads_that_do_not_divide_are_another_rule_s() -> None:
    quiet("weights-not-divisible", "Qwen/Qwen3-8B -tp 3", gpu="8x H100")


def test_adapters_pad_the_vocabulary_otherwise() -> None:
    quiet("weights-not-divisible", "Qwen/Qwen3-14B -tp 5 --enable-lora", gpu="8x H100")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("weights-not-divisible", "nobody/unheard-of -tp 3", gpu="H100") == ("model",)
