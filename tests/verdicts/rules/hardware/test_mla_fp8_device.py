from verdicts.harness import fires, not_checked, quiet

FP8 = "deepseek-ai/DeepSeek-V2-Lite --kv-cache-dtype fp8"


def test_ampere_has_no_mla_kernel_for_an_fp8_cache() -> None:
    for version in ("0.12.0", "0.28.0", "0.33.0"):
        fires("mla-fp8-device", FP8, version, gpu="A100-80GB-SXM")


def test_ada_has_triton_from_0_18() -> None:
    fires("mla-fp8-device", FP8, "0.16.0", gpu="L40S")
    quiet("mla-fp8-device", FP8, "0.28.0", gpu="L40S")


def test_hopper_has_one_and_other_attention_is_not_asked() -> None:
    quiet("mla-fp8-device", FP8, "0.12.0")
    quiet("mla-fp8-device", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.28.0", gpu="A100-80GB-SXM")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("mla-fp8-device", FP8) == ("gpu",)


def test_a_checkpoint_asks_for_it_too() -> None:
    line = "nvidia/DeepSeek-R1-0528-NVFP4 -tp 8"
    assert fires("mla-fp8-device", line, "0.15.1", gpu="8x RTX PRO 6000").steps[0].to == "bfloat16"
    quiet("mla-fp8-device", line, "0.14.0", gpu="8x B200")
