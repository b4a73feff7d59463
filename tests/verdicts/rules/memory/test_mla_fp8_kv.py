from verdicts.harness import fires, quiet


def test_no_latent_kernel_reads_fp8() -> None:
    fires("mla-fp8-kv", "deepseek-ai/DeepSeek-R1 -tp 8 --kv-cache-dtype fp8", "0.8.5", gpu="8x H200")


def test_ordinary_attention_does() -> None:
    quiet("mla-fp8-kv", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.8.5")
