"""Unknowns that explain measurements with the least surprise."""

import pytest

from vllm_triage.engine.simulation.least_surprise import least_surprise

DOUBT = (0.3, 0.3, 0.3)


def test_one_measurement_of_one_unknown_moves_only_that() -> None:
    step = least_surprise([[1.0, 0.0, 0.0]], [0.5], [0.001], [0.0, 0.0, 0.0], DOUBT)
    assert step == pytest.approx([0.5, 0.0, 0.0], abs=1e-4)


def test_what_cannot_be_told_apart_moves_by_how_uncertain_it_is() -> None:
    step = least_surprise([[1.0, 1.0, 0.0]], [0.5], [0.001], [0.0, 0.0, 0.0], (0.1, 0.2, 0.3))
    assert step[1] / step[0] == pytest.approx(4.0)
    assert step[0] + step[1] == pytest.approx(0.5, abs=1e-4)


def test_a_measurement_trusted_less_is_met_less() -> None:
    near, far = (
        least_surprise([[1.0, 0.0, 0.0]], [0.5], [trust], [0.0, 0.0, 0.0], DOUBT)[0] for trust in (0.01, 1.0)
    )  # fmt: skip
    assert far < 0.1 < near


def test_without_measurements_everything_returns_to_where_it_began() -> None:
    assert least_surprise([], [], [], [0.4, -0.2, 0.1], DOUBT) == pytest.approx([-0.4, 0.2, -0.1])
