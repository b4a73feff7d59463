from verdicts.harness import fires, quiet


def test_a_gb10_shares_its_memory() -> None:
    fires("unified-memory", "Qwen/Qwen3-8B", "0.33.0", gpu="GB10")


def test_an_h100_does_not() -> None:
    quiet("unified-memory", "Qwen/Qwen3-8B", "0.33.0")
