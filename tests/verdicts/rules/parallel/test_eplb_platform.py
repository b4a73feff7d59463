from verdicts.harness import fires, not_checked, quiet

BALANCED = "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel --enable-eplb"


def test_experts_are_balanced_between_gpus() -> None:
    fires("eplb-platform", BALANCED, "0.28.0", gpu="CPU")
    quiet("eplb-platform", BALANCED, "0.28.0")


def test_rocm_balances_them_from_0_11_1() -> None:
    fires("eplb-platform", f"{BALANCED} --num-redundant-experts 2", "0.10.0", gpu="8x MI300X")
    quiet("eplb-platform", BALANCED, "0.18.0", gpu="8x MI300X")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("eplb-platform", BALANCED, "0.28.0") == ("gpu",)
