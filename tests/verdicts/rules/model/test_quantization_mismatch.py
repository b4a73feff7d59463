from verdicts.harness import fires, not_checked, quiet


def test_gptq_cannot_be_applied_to_an_mxfp4_checkpoint() -> None:
    assert "mxfp4" in fires("quantization-mismatch", "openai/gpt-oss-20b --quantization gptq", "0.18.0").message


def test_a_checkpoint_says_its_own_method() -> None:
    quiet("quantization-mismatch", "openai/gpt-oss-20b", "0.33.0")


def test_a_method_a_plugin_may_bring_is_not_held_against_the_checkpoint() -> None:
    command = "openai/gpt-oss-20b --quantization ascend"
    quiet("quantization-mismatch", command, "0.18.0", gpu=None)
    assert not_checked("quantization-unknown", command, "0.18.0")


def test_a_method_no_release_has_is_refused_on_a_device_vllm_knows() -> None:
    quiet("quantization-mismatch", "openai/gpt-oss-20b --quantization ascend", "0.18.0")
    fires("quantization-unknown", "openai/gpt-oss-20b --quantization ascend", "0.18.0")


def test_an_fp8_checkpoint_is_not_model_opts() -> None:
    for version in ("0.18.0", "0.33.0"):
        fires("quantization-mismatch", "deepseek-ai/DeepSeek-V3 --quantization modelopt", version)
