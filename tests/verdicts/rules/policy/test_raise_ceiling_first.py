from verdicts.harness import fires, quiet


def test_half_the_device_is_refused() -> None:
    assert "50%" in fires("raise-ceiling-first", "Qwen/Qwen3-8B --gpu-memory-utilization 0.5", "0.18.0").message


def test_0_70_is_not_below_0_70() -> None:
    quiet("raise-ceiling-first", "Qwen/Qwen3-8B --gpu-memory-utilization 0.70", "0.18.0")


def test_a_pinned_pool_ignores_the_flag() -> None:
    quiet("raise-ceiling-first", "Qwen/Qwen3-8B --gpu-memory-utilization 0.5 --kv-cache-memory-bytes 8G", "0.18.0")
