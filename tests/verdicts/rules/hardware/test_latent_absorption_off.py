from verdicts.harness import fires, quiet

OFF = "VLLM_MLA_PERFORM_MATRIX_ABSORPTION=0"


def test_fp8_latents_need_their_matrices_absorbed() -> None:
    fires("latent-absorption-off", f"{OFF} vllm serve deepseek-ai/DeepSeek-R1 -tp 8", "0.7.3", gpu="8x H200")
    quiet("latent-absorption-off", f"{OFF} vllm serve deepseek-ai/DeepSeek-V2-Lite", "0.7.3")
