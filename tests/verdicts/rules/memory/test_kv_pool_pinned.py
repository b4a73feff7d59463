from verdicts.harness import fires, quiet


def test_a_pinned_pool_ignores_the_share() -> None:
    fires("kv-pool-pinned", "Qwen/Qwen3-8B --kv-cache-memory-bytes 8G --gpu-memory-utilization 0.9", "0.33.0")


def test_one_of_the_two_is_enough() -> None:
    quiet("kv-pool-pinned", "Qwen/Qwen3-8B --kv-cache-memory-bytes 8G", "0.33.0")
