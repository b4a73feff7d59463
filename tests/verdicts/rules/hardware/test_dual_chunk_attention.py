from verdicts.harness import fires, quiet

MILLION = "VLLM_ATTENTION_BACKEND=DUAL_CHUNK_FLASH_ATTN vllm serve Qwen/Qwen2.5-7B-Instruct"
V0 = f"VLLM_USE_V1=0 {MILLION}"


def test_it_needs_eager_mode_v0_and_nvidia() -> None:
    fires("dual-chunk-attention", V0, "0.9.0")
    fires("dual-chunk-attention", f"VLLM_USE_V1=1 {MILLION} --enforce-eager", "0.9.0")
    fires("dual-chunk-attention", f"{V0} --enforce-eager", "0.9.0", gpu="8x MI300X")
    quiet("dual-chunk-attention", f"{V0} --enforce-eager", "0.9.0")
