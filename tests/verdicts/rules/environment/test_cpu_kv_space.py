from verdicts.harness import fires, quiet


def test_a_cpu_pool_is_set_by_a_variable() -> None:
    fires("cpu-kv-space", "Qwen/Qwen3-8B", "0.18.0", gpu="cpu")


def test_it_is_set() -> None:
    quiet("cpu-kv-space", "VLLM_CPU_KVCACHE_SPACE=16 vllm serve Qwen/Qwen3-8B", "0.18.0", gpu="cpu")
