"""The state over time in a bounded number of moments."""

import pytest

from vllm_triage.engine.simulation.timeline import MOST_MOMENTS, Timeline


def test_moments_are_what_happened_between_samples() -> None:
    timeline = Timeline(10.0)
    timeline.sample((10.0, 40.0, 0.0, 5.0, 100.0))
    moments = timeline.moments((30.0, 120.0, 20.0, 20.0, 120.0))
    assert moments == [pytest.approx((0.005, 4.0, 0.0, 0.5, 10_000.0)), pytest.approx((0.02, 4.0, 1.0, 0.75, 1000.0))]


def test_there_are_never_more_than_the_most_however_long_it_goes_on() -> None:
    timeline = Timeline(1.0)
    for at in range(1, 50_000):
        if at >= timeline.due:
            timeline.sample((float(at), 3.0 * at, 0.0, 0.5 * at, float(at)))
    moments = timeline.moments((50_000.0, 150_000.0, 0.0, 25_000.0, 50_000.0))
    assert MOST_MOMENTS / 4 <= len(moments) <= MOST_MOMENTS + 1
    assert all(moment[1:] == pytest.approx((3.0, 0.0, 0.5, 1000.0)) for moment in moments)
    assert moments[-1][0] <= 50.0
