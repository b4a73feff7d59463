from verdicts.harness import fires, quiet


def test_an_a100_has_no_fp8_units() -> None:
    found = fires("fp8-weights-without-units", "Qwen/Qwen3-8B --quantization fp8", "0.33.0", gpu="A100-SXM-80GB")
    assert "16 bits" in found.message


def test_an_l40s_has() -> None:
    quiet("fp8-weights-without-units", "Qwen/Qwen3-8B --quantization fp8", "0.33.0", gpu="L40S")
