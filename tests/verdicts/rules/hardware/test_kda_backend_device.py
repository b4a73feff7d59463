from verdicts.harness import fires, quiet


def test_the_fused_kernel_is_for_rocm() -> None:
    fires("kda-backend-device", "Qwen/Qwen3-8B --kda-prefill-backend fused", "0.33.0")


def test_flash_kda_is_for_cuda() -> None:
    fires("kda-backend-device", "Qwen/Qwen3-8B --kda-prefill-backend flashkda", "0.33.0", gpu="MI300X")
    quiet("kda-backend-device", "Qwen/Qwen3-8B --kda-prefill-backend flashkda", "0.33.0")
