from verdicts.harness import fires, quiet, tells

R1 = "vllm serve deepseek-ai/DeepSeek-R1 -tp 8"
ON = f"VLLM_ROCM_USE_AITER=1 {R1}"


def test_aiter_takes_blocks_of_one_token() -> None:
    fires("aiter-latent-attention", ON, "0.10.0", gpu="8x MI300X")
    fires("aiter-latent-attention", f"{ON} --block-size 16", "0.9.0", gpu="8x MI300X")
    quiet("aiter-latent-attention", f"{ON} --block-size 1", "0.10.0", gpu="8x MI300X")


def test_triton_does_not_take_them() -> None:
    fires("aiter-latent-attention", f"VLLM_ATTENTION_BACKEND=TRITON_MLA {R1} --block-size 1", "0.9.0", gpu="8x MI300X")


def test_its_first_releases_take_one_context_length() -> None:
    fires("aiter-latent-attention", f"{ON} --block-size 1 --max-model-len 16384", "0.9.0", gpu="8x MI300X")


def test_a_rank_has_16_or_128_heads() -> None:
    four = "VLLM_ROCM_USE_AITER=1 vllm serve deepseek-ai/DeepSeek-R1 -tp 4 --block-size 1"
    assert "32 heads" in tells("aiter-latent-attention", four, "0.10.0", gpu="4x MI300X").message
    quiet("aiter-latent-attention", four, "0.20.0", gpu="4x MI300X")


def test_other_devices_have_no_aiter() -> None:
    quiet("aiter-latent-attention", ON, "0.10.0")
