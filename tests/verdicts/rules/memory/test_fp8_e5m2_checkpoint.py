from verdicts.harness import fires, quiet


def test_e5m2_does_not_take_scales() -> None:
    fires("fp8-e5m2-checkpoint", "Qwen/Qwen3-32B-FP8 --kv-cache-dtype fp8_e5m2", "0.33.0")


def test_e4m3_does() -> None:
    quiet("fp8-e5m2-checkpoint", "Qwen/Qwen3-32B-FP8 --kv-cache-dtype fp8", "0.33.0")
