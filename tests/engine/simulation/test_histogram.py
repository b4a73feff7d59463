"""Percentiles in constant memory."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vllm_triage.engine.simulation.histogram import Histogram


@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=200))
def test_the_mean_is_exact_and_a_percentile_within_a_bucket(values: list[float]) -> None:
    histogram = Histogram()
    for value in values:
        histogram.add(value)
    assert histogram.mean == pytest.approx(sum(values) / len(values))
    ordered = sorted(values)
    for share, found in zip((0.25, 0.5, 0.99, 1.0), histogram.percentiles(0.25, 0.5, 0.99, 1.0), strict=True):
        place = max(0, -(-round(share * len(values) * 1000) // 1000) - 1)
        near = ordered[max(0, place - 1) : place + 2]
        assert near[0] * 0.985 <= found <= near[-1] * 1.015


def test_percentiles_of_a_known_distribution_are_within_a_percent() -> None:
    rng, histogram = random.Random(1), Histogram()  # noqa: S311
    values = sorted(rng.lognormvariate(3, 1) for _ in range(20_000))
    for value in values:
        histogram.add(value)
    assert histogram.percentiles(0.5, 0.9, 0.99) == pytest.approx(
        [values[9999], values[17_999], values[19_799]], rel=0.01
    )


def test_values_that_rise_evenly_are_spread() -> None:
    one, other = Histogram(), Histogram()
    one.add_rising(100.0, sum(range(100, 1100)), 1000, 3)
    for value in range(100, 1100):
        other.add(value, 3)
    assert (one.count, one.total) == pytest.approx((other.count, other.total))
    assert one.percentiles(0.1, 0.5, 0.99) == pytest.approx(other.percentiles(0.1, 0.5, 0.99), rel=0.03)


def test_nothing_has_no_mean_and_zero_is_the_smallest_value() -> None:
    histogram = Histogram()
    assert (histogram.mean, histogram.percentiles(0.5, 0.99)) == (0.0, (0.0, 0.0))
    histogram.add(0.0)
    histogram.add(5.0)
    assert histogram.percentiles(0.5, 1.0) == pytest.approx((0.0, 5.0), rel=0.01)


def test_memory_is_the_number_of_buckets() -> None:
    histogram = Histogram()
    for value in range(1, 100_000):
        histogram.add(value / 1000)
    assert len(histogram._counts) < 1200
