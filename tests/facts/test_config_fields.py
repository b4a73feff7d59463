import pytest

from vllm_triage.facts.config_fields import field_of, keys, mtp_targets


@pytest.mark.parametrize(
    ("flag", "version", "value", "allowed"),
    [
        ("--max-num-seqs", "0.18.0", 0, False),
        ("--max-num-seqs", "0.18.0", 1, True),
        ("--gpu-memory-utilization", "0.33.0", 1.0, True),
        ("--gpu-memory-utilization", "0.33.0", 0, False),
        ("--gpu-memory-utilization", "0.33.0", 1.01, False),
        ("--watermark", "0.31.0", 1.0, False),
        ("--block-size", "0.18.0", 0, True),
        ("--block-size", "0.23.0", 0, False),
    ],
)
def test_a_number_is_held_to_the_bounds_of_its_release(flag: str, version: str, value: float, allowed: bool) -> None:
    field = field_of(flag, version)
    assert field is not None
    assert field.allows(value) is allowed


def test_bounds_are_told_in_words() -> None:
    field = field_of("--gpu-memory-utilization", "0.33.0")
    assert field is not None
    assert field.range() == "more than 0 and at most 1"


def test_a_flag_that_is_declared_from_no_field_is_none() -> None:
    assert field_of("--host", "0.33.0") is None
    assert field_of("--watermark", "0.18.0") is None


def test_methods_come_and_go() -> None:
    assert "medusa" in keys("SpeculativeConfig", "0.32.0")["method"].choices
    assert "medusa" not in keys("SpeculativeConfig", "0.33.0")["method"].choices
    assert "ngram_gpu" not in keys("SpeculativeConfig", "0.17.1")["method"].choices


def test_a_class_a_release_does_not_have_has_no_keys() -> None:
    assert keys("WatermarkConfig", "0.18.0") == {}


def test_mtp_targets_grow() -> None:
    assert "deepseek_v3" in mtp_targets("0.18.0")
    assert "kimi_k3" in mtp_targets("0.33.0")
    assert "kimi_k3" not in mtp_targets("0.18.0")
