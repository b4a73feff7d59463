from verdicts.harness import fires, quiet

LITE = "VLLM_ROCM_USE_AITER=1 vllm serve deepseek-ai/DeepSeek-V2-Lite"


def test_cdna_3_has_no_fp4() -> None:
    fires("aiter-fp4-matmul", LITE, "0.15.0", gpu="MI300X")
    quiet("aiter-fp4-matmul", LITE, "0.15.0", gpu="MI355X")
    quiet("aiter-fp4-matmul", LITE, "0.17.0", gpu="MI300X")
