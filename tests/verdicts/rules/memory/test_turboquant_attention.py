from verdicts.harness import fires, quiet


def test_turboquant_falls_back_to_two() -> None:
    fires("turboquant-attention", "Qwen/Qwen3-8B --kv-cache-dtype turboquant_4bit_nc", "0.33.0")


def test_fp8_keeps_what_is_there() -> None:
    quiet("turboquant-attention", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.33.0")
