from verdicts.harness import fires, not_checked, quiet


def test_gguf_became_a_plugin() -> None:
    assert "gguf" in fires("quantization-unknown", "Qwen/Qwen3-8B --quantization gguf", "0.33.0").message


def test_fp8_is_a_method() -> None:
    quiet("quantization-unknown", "Qwen/Qwen3-8B --quantization fp8", "0.33.0")


def test_a_model_nobody_knows_may_claim_its_loader() -> None:
    assert not_checked("quantization-unknown", "nobody/unheard-of --quantization ascend", "0.33.0", gpu=None) == (
        "model",
        "gpu",
    )


def test_a_plugin_that_is_named_may_register_the_method() -> None:
    launch = "VLLM_PLUGINS=own vllm serve Qwen/Qwen3-8B --quantization gguf"
    assert not_checked("quantization-unknown", launch, "0.33.0", gpu="h100") == ("plugins",)
