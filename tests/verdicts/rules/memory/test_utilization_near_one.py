from verdicts.harness import fires, quiet


def test_two_per_cent_are_not_enough() -> None:
    fires("utilization-near-one", "Qwen/Qwen3-8B --gpu-memory-utilization 0.98", "0.33.0")


def test_five_are() -> None:
    quiet("utilization-near-one", "Qwen/Qwen3-8B --gpu-memory-utilization 0.95", "0.33.0")
