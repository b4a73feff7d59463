from verdicts.harness import fires, quiet


def test_eight_kv_heads_on_eight_ranks_are_not_replicated() -> None:
    found = fires("dcp-needs-replicated-heads", "Qwen/Qwen3-8B -tp 8 --decode-context-parallel-size 2", "0.33.0")
    assert "8 KV heads" in found.message


def test_a_latent_is_on_every_rank() -> None:
    quiet("dcp-needs-replicated-heads", "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 2", "0.33.0")
