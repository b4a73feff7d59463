from verdicts.harness import fires, quiet


def test_the_cpu_cache_must_hold_the_active_adapters() -> None:
    found = fires("lora-cpu-cache-too-small", "Qwen/Qwen3-8B --enable-lora --max-loras 4 --max-cpu-loras 2", "0.33.0")
    assert "max_cpu_loras 2" in found.message


def test_an_equal_cache_is_enough() -> None:
    quiet("lora-cpu-cache-too-small", "Qwen/Qwen3-8B --enable-lora --max-loras 4 --max-cpu-loras 4", "0.33.0")
