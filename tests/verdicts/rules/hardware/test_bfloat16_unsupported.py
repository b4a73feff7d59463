from verdicts.harness import fires, quiet


def test_a_t4_has_no_bfloat16() -> None:
    assert "7.5" in fires("bfloat16-unsupported", "Qwen/Qwen3-8B --dtype bfloat16", "0.33.0", gpu="T4").message


def test_an_l4_has() -> None:
    quiet("bfloat16-unsupported", "Qwen/Qwen3-8B --dtype bfloat16", "0.33.0", gpu="L4")
