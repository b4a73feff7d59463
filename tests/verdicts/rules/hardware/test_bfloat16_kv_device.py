from verdicts.harness import fires, not_checked, quiet

CACHE = "Qwen/Qwen3-8B --kv-cache-dtype bfloat16"


def test_a_cache_type_given_by_name_does_not_fall_back() -> None:
    fires("bfloat16-kv-device", CACHE, "0.28.0", gpu="V100-32GB")
    quiet("bfloat16-kv-device", CACHE, "0.28.0")
    quiet("bfloat16-kv-device", "Qwen/Qwen3-8B", "0.28.0", gpu="V100-32GB")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("bfloat16-kv-device", CACHE, "0.28.0") == ("gpu",)
