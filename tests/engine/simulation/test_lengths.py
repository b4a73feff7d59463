"""Lengths that are drawn have the distribution's mean, and are the same for the same seed."""

from itertools import islice
from random import Random
from statistics import fmean, pstdev
from typing import Any

import pytest

from vllm_triage.domain import Lengths
from vllm_triage.engine.simulation.lengths import STRATA, draws


def drawn(count: int, **lengths: Any) -> list[int]:
    return list(islice(draws(Lengths(**lengths), Random(1)), count))  # noqa: S311


@pytest.mark.parametrize(
    ("shape", "spread", "deviation"),
    [("fixed", 0.0, 0.0), ("uniform", 0.6, 0.6 / 3**0.5), ("exponential", 0.0, 1.0), ("lognormal", 0.7, 0.7)],
)
def test_mean_and_spread_are_those_asked_for(shape: str, spread: float, deviation: float) -> None:
    values = drawn(20 * STRATA, mean=800.0, shape=shape, spread=spread)
    assert fmean(values) == pytest.approx(800, rel=0.02)
    assert pstdev(values) / 800 == pytest.approx(deviation, abs=0.06)


def test_a_round_already_has_the_mean() -> None:
    assert fmean(drawn(STRATA, mean=500.0, shape="exponential")) == pytest.approx(500, rel=0.06)


def test_uniform_lengths_lie_within_their_spread() -> None:
    assert set(drawn(500, mean=10.0, shape="uniform", spread=0.5)) <= set(range(5, 16))


def test_empirical_lengths_are_those_given_as_often() -> None:
    values = drawn(3 * STRATA, mean=1.0, shape="empirical", values=(5, 5, 9))
    assert set(values) == {5, 9}
    assert values.count(5) / len(values) == pytest.approx(2 / 3, abs=0.02)


def test_no_length_is_below_one_and_the_same_seed_gives_the_same() -> None:
    assert min(drawn(300, mean=1.0, shape="exponential")) == 1
    assert drawn(100, mean=50.0, shape="lognormal", spread=2.0) == drawn(100, mean=50.0, shape="lognormal", spread=2.0)
