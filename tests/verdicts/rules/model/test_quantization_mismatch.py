from verdicts.harness import fires, quiet


def test_gptq_cannot_be_applied_to_an_mxfp4_checkpoint() -> None:
    assert "mxfp4" in fires("quantization-mismatch", "openai/gpt-oss-20b --quantization gptq", "0.18.0").message


def test_a_checkpoint_says_its_own_method() -> None:
    quiet("quantization-mismatch", "openai/gpt-oss-20b", "0.33.0")
