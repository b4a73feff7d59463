from verdicts.harness import fires, quiet


def test_eight_bits_may_cost_accuracy() -> None:
    fires("fp8-kv-accuracy", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.33.0")


def test_sixteen_bits_do_not() -> None:
    quiet("fp8-kv-accuracy", "Qwen/Qwen3-8B", "0.33.0")
