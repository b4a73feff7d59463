from vllm_triage.verdicts import thresholds
from vllm_triage.verdicts.thresholds import THRESHOLDS


def test_every_threshold_says_where_it_comes_from_and_why() -> None:
    for name, threshold in THRESHOLDS.items():
        assert threshold.name == name
        assert threshold.source.strip()
        assert threshold.reason.endswith(".")
        assert threshold.unit


def test_every_constant_of_the_module_is_in_the_table() -> None:
    constants = {value for name, value in vars(thresholds).items() if name.isupper() and isinstance(value, float)}
    assert constants == {threshold.value for threshold in THRESHOLDS.values()}


def test_a_floor_never_lies_above_its_ceiling() -> None:
    assert thresholds.KV_FREE < thresholds.KV_FULL
    assert thresholds.AT_POOL_LOW < 1 < thresholds.AT_POOL_HIGH
    assert thresholds.AT_SEATS_LOW < 1 < thresholds.AT_SEATS_HIGH
    assert thresholds.CHUNK_LOW < thresholds.CHUNK_HIGH
    assert thresholds.SEATS_FEW < thresholds.SEATS_SOME
    assert thresholds.ITL_EVEN < thresholds.ITL_SPIKE
    assert thresholds.CLASSIFY_AT < thresholds.SURE_AT
