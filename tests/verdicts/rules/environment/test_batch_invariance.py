from verdicts.harness import fires, quiet


def test_fixed_orders_are_slower() -> None:
    fires("batch-invariance", "VLLM_BATCH_INVARIANT=1 vllm serve Qwen/Qwen3-8B", "0.33.0")


def test_without_it_they_are_not_fixed() -> None:
    quiet("batch-invariance", "Qwen/Qwen3-8B", "0.33.0")
