from verdicts.harness import fires, quiet


def test_a_consumer_blackwell_cannot_read_it() -> None:
    assert "12.0" in fires("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.29.0", gpu="RTX 5090").message


def test_a_b200_can() -> None:
    quiet("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.29.0", gpu="B200")
