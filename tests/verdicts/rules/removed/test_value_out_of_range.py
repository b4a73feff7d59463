from verdicts.harness import fires, quiet


def test_ninety_per_cent_is_0_9() -> None:
    found = fires("value-out-of-range", "Qwen/Qwen3-8B --gpu-memory-utilization 90", "0.33.0")
    assert "more than 0 and at most 1" in found.message


def test_the_whole_device_is_allowed() -> None:
    quiet("value-out-of-range", "Qwen/Qwen3-8B --gpu-memory-utilization 1.0", "0.33.0")
