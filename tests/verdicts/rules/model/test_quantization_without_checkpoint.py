from verdicts.harness import fires, quiet


def test_awq_needs_a_checkpoint_stored_so() -> None:
    found = fires("quantization-without-checkpoint", "Qwen/Qwen3-8B --quantization awq", "0.33.0")
    assert "unquantized" in found.message


def test_fp8_quantizes_while_loading() -> None:
    quiet("quantization-without-checkpoint", "Qwen/Qwen3-8B --quantization fp8", "0.33.0")
