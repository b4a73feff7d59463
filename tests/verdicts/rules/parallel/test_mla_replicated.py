from verdicts.harness import fires, quiet, tells


def test_every_rank_keeps_the_latent() -> None:
    assert "8 ranks" in fires("mla-replicated", "deepseek-ai/DeepSeek-V3 -tp 8", "0.33.0", gpu="8x H200").message


def test_heads_are_split() -> None:
    quiet("mla-replicated", "Qwen/Qwen3-8B -tp 4", "0.33.0")


def test_context_ranks_are_offered_only_where_attention_can_join_them() -> None:
    command = "deepseek-ai/DeepSeek-V2-Lite -tp 8"
    assert tells("mla-replicated", command, "0.18.0", gpu="8x B200").fix.startswith("Use `--data-parallel-size`")
    assert fires("mla-replicated", command, "0.25.0", gpu="8x B200").steps
    tells("mla-replicated", command + " --kv-cache-dtype fp8", "0.18.0", gpu="8x H200")
