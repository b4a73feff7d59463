from verdicts.harness import fires, quiet


def test_a_cpu_reads_no_fp8_cache() -> None:
    fires("cpu-fp8-kv", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.18.0", gpu="cpu")


def test_an_h100_does() -> None:
    quiet("cpu-fp8-kv", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.18.0")
