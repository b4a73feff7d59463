from verdicts.harness import fires, quiet


def test_every_rank_keeps_the_latent() -> None:
    assert "8 ranks" in fires("mla-replicated", "deepseek-ai/DeepSeek-V3 -tp 8", "0.33.0", gpu="8x H200").message


def test_heads_are_split() -> None:
    quiet("mla-replicated", "Qwen/Qwen3-8B -tp 4", "0.33.0")
