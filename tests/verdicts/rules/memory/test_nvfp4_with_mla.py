from verdicts.harness import fires, quiet


def test_a_latent_has_no_heads_to_pack() -> None:
    fires("nvfp4-with-mla", "deepseek-ai/DeepSeek-V3 -tp 8 --kv-cache-dtype nvfp4", "0.33.0", gpu="8x B200")


def test_heads_can_be_packed() -> None:
    quiet("nvfp4-with-mla", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.33.0", gpu="B200")
