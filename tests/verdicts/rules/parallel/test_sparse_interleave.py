from verdicts.harness import fires, not_checked, quiet

RUNS = "-tp 8 --decode-context-parallel-size 2 --cp-kv-cache-interleave-size"


def test_sparse_tokens_are_dealt_one_by_one() -> None:
    fires("sparse-interleave", f"deepseek-ai/DeepSeek-V3.2 {RUNS} 16", "0.28.0", gpu="8x B200")
    quiet("sparse-interleave", f"deepseek-ai/DeepSeek-V3.2 {RUNS} 1", "0.28.0", gpu="8x B200")
    quiet("sparse-interleave", f"deepseek-ai/DeepSeek-V3 {RUNS} 16", "0.28.0", gpu="8x B200")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("sparse-interleave", f"acme/nobody-knows {RUNS} 16", "0.28.0") == ("model",)
