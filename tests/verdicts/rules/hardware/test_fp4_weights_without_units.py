import pytest

from verdicts.harness import not_checked, quiet, tells


@pytest.mark.parametrize(
    ("model", "version", "gpu"),
    [
        ("nvidia/Qwen3-30B-A3B-NVFP4", "0.28.0", "H100-SXM"),
        ("nvidia/Qwen3-30B-A3B-NVFP4", "0.9.0", "A100-80GB-SXM"),
        ("openai/gpt-oss-20b", "0.10.1", "A100-80GB-SXM"),
        ("openai/gpt-oss-120b", "0.33.0", "H100-SXM"),
    ],
)
def test_hopper_and_ampere_have_no_fp4_units(model: str, version: str, gpu: str) -> None:
    assert "16 bits" in tells("fp4-weights-without-units", model, version, gpu).message


def test_blackwell_has() -> None:
    quiet("fp4-weights-without-units", "nvidia/Qwen3-30B-A3B-NVFP4", "0.28.0", "B200")


def test_weights_of_8_bits_are_left_to_their_own_rule() -> None:
    quiet("fp4-weights-without-units", "Qwen/Qwen3-32B-FP8", "0.28.0", "H100-SXM")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("fp4-weights-without-units", "openai/gpt-oss-20b", "0.28.0") == ("gpu",)
