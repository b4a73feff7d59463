"""Ratios: what they are made of, and how well they are known."""

import pytest

from vllm_triage.verdicts.whatif import METRICS, differences, figure, try_change
from vllm_triage.verdicts.whatif.figures import gain, is_loop

from .cases import CALM, CROWD, RATE, ground


def test_the_figure_after_is_the_measured_one_times_the_ratio() -> None:
    trial = try_change(ground(), {"max_num_seqs": 24})
    assert trial.prediction is not None
    found = differences(ground().prediction, trial.prediction, ground().cost.bands, {"ttft_ms_mean": 1000.0})
    first = next(d for d in found if d.metric == "ttft_ms_mean")
    assert first.ratio is not None
    assert (first.before, first.after.mid) == (1000.0, pytest.approx(1000.0 * first.ratio.mid))
    assert first.after.low < first.after.mid < first.after.high


def test_in_a_closed_loop_rates_follow_from_the_time_requests_stay() -> None:
    assert (is_loop(CROWD), is_loop(RATE), is_loop(CROWD.but(requests=96))) == (True, False, False)
    trial = try_change(ground(), {"max_num_seqs": 24})
    assert trial.prediction is not None
    ratio = trial.by_metric["output_tok_s"].ratio
    stays = ground().prediction.e2e_ms.mean.mid / trial.prediction.e2e_ms.mean.mid
    assert ratio is not None
    assert ratio.mid == pytest.approx(stays)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_is_read_from_a_prediction_and_better_is_a_gain(metric: str) -> None:
    assert figure(ground(CALM).prediction, metric).mid > 0
    trial = try_change(ground(), {"max_num_seqs": 24})
    one = trial.by_metric[metric]
    assert one.ratio is not None
    assert (gain(metric, one) > 0) == ((one.ratio.mid > 1) == METRICS[metric].more_is_better)
