import pytest

from engine.physics import seen
from vllm_triage.domain import Ignored, Observation
from vllm_triage.verdicts.policy import core_metrics, gpu_utilization_ignored

FULL = {"ttft_ms_mean": 1.0, "itl_ms_mean": 1.0, "output_tok_s": 1.0, "concurrency": 1.0}
FIELD = {"ttft": "ttft_ms_mean", "itl": "itl_ms_mean", "throughput": "output_tok_s", "concurrency": "concurrency"}


@pytest.mark.parametrize("missing", FIELD)
def test_exactly_the_missing_metric_is_asked_for(missing: str) -> None:
    refusal = core_metrics(seen(**{name: value for name, value in FULL.items() if name != FIELD[missing]}))
    assert refusal is not None
    assert refusal.rule == "core-metrics"
    assert len(refusal.ask) == 1
    assert missing in refusal.ask[0].lower()


def test_all_four_are_asked_for_when_nothing_is_given() -> None:
    refusal = core_metrics(Observation())
    assert refusal is not None
    assert len(refusal.ask) == 4


def test_nothing_is_asked_when_all_four_are_there() -> None:
    assert core_metrics(seen(**FULL)) is None


@pytest.mark.parametrize("other", ["ttft_ms_p99", "ttft_ms_p50"])
def test_a_percentile_stands_for_a_mean(other: str) -> None:
    values = {**FULL, other: 1.0}
    values.pop("ttft_ms_mean")
    assert core_metrics(seen(**values)) is None


def test_what_the_readers_set_aside_is_passed_on() -> None:
    dropped = Ignored(signal="DCGM_FI_DEV_GPU_UTIL", why="never evidence")
    assert gpu_utilization_ignored(Observation(ignored=(dropped,))) == (dropped,)
