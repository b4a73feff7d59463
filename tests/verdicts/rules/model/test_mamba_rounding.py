from verdicts.harness import fires, not_checked, quiet

ROUNDED = "nvidia/NVIDIA-Nemotron-Nano-9B-v2 --mamba-ssm-cache-dtype float16 --enable-mamba-cache-stochastic-rounding"


def test_triton_rounds_on_data_centre_blackwell() -> None:
    fires("mamba-rounding", ROUNDED, "0.28.0")
    fires("mamba-rounding", ROUNDED, "0.28.0", gpu="RTX 5090")
    quiet("mamba-rounding", ROUNDED, "0.28.0", gpu="8x B200")


def test_flashinfer_rounds_everywhere_on_nvidia() -> None:
    quiet("mamba-rounding", f"{ROUNDED} --mamba-backend flashinfer", "0.28.0")
    fires("mamba-rounding", f"{ROUNDED} --mamba-backend flashinfer", "0.28.0", gpu="8x MI300X")


def test_the_state_is_float16() -> None:
    float32 = ROUNDED.replace("float16", "float32")
    fires("mamba-rounding", float32, "0.28.0", gpu="8x B200")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("mamba-rounding", ROUNDED, "0.28.0") == ("gpu",)
