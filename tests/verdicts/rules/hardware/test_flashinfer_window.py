from verdicts.harness import fires, not_checked, quiet

WINDOWS = "google/gemma-3-27b-it --attention-backend FLASHINFER"


def test_windows_crashed_its_prefill_on_hopper() -> None:
    fires("flashinfer-window", WINDOWS, "0.28.0")
    quiet("flashinfer-window", WINDOWS, "0.28.0", gpu="8x B200")
    quiet("flashinfer-window", WINDOWS, "0.33.0")
    quiet("flashinfer-window", "Qwen/Qwen3-8B --attention-backend FLASHINFER", "0.28.0")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("flashinfer-window", WINDOWS, "0.28.0") == ("gpu",)
