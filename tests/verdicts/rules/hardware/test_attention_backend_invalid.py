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


def test_backends_for_mla_do_not_attend_sparsely() -> None:
    sparse = "deepseek-ai/DeepSeek-V3.2 -tp 8 --attention-backend"
    fires("attention-backend-invalid", f"{sparse} FLASHMLA", "0.28.0", gpu="8x H200")
    fires("attention-backend-invalid", f"{sparse} FLASHINFER_MLA_SPARSE", "0.28.0", gpu="8x H200")
    quiet("attention-backend-invalid", f"{sparse} FLASHMLA_SPARSE", "0.28.0", gpu="8x H200")


def test_an_encoder_and_a_decoder_cross_on_flash_attention() -> None:
    fires("attention-backend-invalid", "openai/whisper-large-v3 --attention-backend FLEX_ATTENTION", "0.28.0")
    quiet("attention-backend-invalid", "openai/whisper-large-v3 --attention-backend FLASH_ATTN", "0.28.0")


def test_hpc_attention_takes_groups_of_four_or_eight() -> None:
    fires("attention-backend-invalid", "Qwen/Qwen2.5-7B-Instruct --attention-backend HPC_ATTN", "0.28.0")
    quiet("attention-backend-invalid", "Qwen/Qwen3-8B --attention-backend HPC_ATTN", "0.28.0")
