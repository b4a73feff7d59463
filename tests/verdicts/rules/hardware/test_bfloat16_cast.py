from verdicts.harness import fires, quiet


def test_a_t4_casts_to_float16() -> None:
    assert "float16" in fires("bfloat16-cast", "Qwen/Qwen3-8B", "0.33.0", gpu="T4").message


def test_an_l4_does_not() -> None:
    quiet("bfloat16-cast", "Qwen/Qwen3-8B", "0.33.0", gpu="L4")
