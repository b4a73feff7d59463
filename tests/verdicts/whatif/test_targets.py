"""Targets against a prediction."""

import pytest

from vllm_triage.domain import Interval
from vllm_triage.verdicts.whatif import forecasts

from .cases import ground

AROUND = {"ttft_ms_mean": Interval(low=900.0, mid=1000.0, high=1100.0), "output_tok_s": Interval(low=90.0, mid=100.0, high=110.0)}


@pytest.mark.parametrize(
    ("metric", "target", "met"),
    [
        ("ttft_ms_mean", 1200, True), ("ttft_ms_mean", 800, False), ("ttft_ms_mean", 1000, None),
        ("output_tok_s", 80, True), ("output_tok_s", 120, False), ("output_tok_s", 100, None),
    ],
)  # fmt: skip
def test_a_target_inside_the_interval_may_go_either_way(metric: str, target: float, met: bool | None) -> None:
    [found] = forecasts({metric: target}, ground().prediction, AROUND)
    assert (found.metric, found.target, found.met) == (metric, target, met)


def test_a_target_without_a_known_figure_is_held_against_the_prediction() -> None:
    [found] = forecasts({"tpot_ms_mean": 1e9}, ground().prediction)
    assert found.predicted == ground().prediction.tpot_ms.mean
