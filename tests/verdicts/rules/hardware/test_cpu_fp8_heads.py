from verdicts.harness import fires, not_checked, quiet


def test_heads_are_unpacked_by_thirty_two() -> None:
    fires("cpu-fp8-heads", "microsoft/phi-2 --kv-cache-dtype fp8", "0.28.0", gpu="CPU")
    quiet("cpu-fp8-heads", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.28.0", gpu="CPU")
    quiet("cpu-fp8-heads", "microsoft/phi-2 --kv-cache-dtype fp8", "0.28.0")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("cpu-fp8-heads", "microsoft/phi-2 --kv-cache-dtype fp8", "0.28.0") == ("gpu",)
