from verdicts.harness import fires, not_checked, quiet


def test_flash_attention_does_not_serve_mla() -> None:
    found = fires(
        "attention-backend-invalid",
        "deepseek-ai/DeepSeek-V3 -tp 8 --attention-backend FLASH_ATTN",
        "0.33.0",
        gpu="8x H200",
    )
    assert "MLA" in found.message


def test_a_t4_is_too_old_for_flash_attention() -> None:
    found = fires("attention-backend-invalid", "Qwen/Qwen3-8B --attention-backend FLASH_ATTN", "0.18.0", gpu="T4")
    assert "7.5" in found.message


def test_flashinfer_serves_a_dense_model_on_an_h100() -> None:
    quiet("attention-backend-invalid", "Qwen/Qwen3-8B --attention-backend FLASHINFER", "0.33.0")


def test_without_a_gpu_nothing_is_said() -> None:
    assert not_checked(
        "attention-backend-invalid", "Qwen/Qwen3-8B --attention-backend FLASHINFER", "0.33.0", gpu=None
    ) == ("gpu",)
