from verdicts.harness import fires, not_checked, quiet

FP8 = "Qwen/Qwen3-8B --dtype half --kv-cache-dtype fp8"


def test_turing_has_nothing_left_that_reads_it_from_0_24() -> None:
    quiet("fp8-kv-device", FP8, "0.23.0", gpu="T4")
    found = fires("fp8-kv-device", FP8, "0.24.0", gpu="T4")
    assert not found.starts
    fires("fp8-kv-device", FP8.replace("fp8", "fp8_e5m2"), "0.33.0", gpu="T4")


def test_ampere_has_flashinfer() -> None:
    quiet("fp8-kv-device", FP8, "0.33.0", gpu="A100-80GB-SXM")


def test_a_backend_named_by_hand_is_another_rules() -> None:
    quiet("fp8-kv-device", FP8 + " --attention-backend TRITON_ATTN", "0.33.0", gpu="T4")
    fires("attention-backend-invalid", FP8 + " --attention-backend TRITON_ATTN", "0.33.0", gpu="T4")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("fp8-kv-device", FP8) == ("gpu",)
