from verdicts.harness import fires, quiet


def test_gpt_oss_loads_as_mxfp4() -> None:
    assert "gptq" in fires("quantization-ignored", "openai/gpt-oss-20b --quantization gptq", "0.33.0").message


def test_its_own_method_may_be_named() -> None:
    quiet("quantization-ignored", "openai/gpt-oss-20b --quantization mxfp4", "0.33.0")
