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
