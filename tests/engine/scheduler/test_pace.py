"""Ticks by step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vllm_triage.engine.scheduler.pace import Pace

PACES = st.floats(1.0, 9.0)


@given(pace=PACES, tick=st.integers(0, 10**9))
def test_every_tick_falls_in_one_step(pace: float, tick: int) -> None:
    at = Pace(pace)
    step = at.step_of(tick)
    assert at.ticks(step) <= tick < at.ticks(step + 1)


@given(pace=PACES, steps=st.integers(1, 10**6))
def test_after_any_number_of_steps_the_mean_is_right(pace: float, steps: int) -> None:
    assert abs(Pace(pace).ticks(steps) - pace * steps) <= 1 + steps / 500


@pytest.mark.parametrize("step", [0, 1, 10**12])
def test_without_speculation_a_step_is_a_tick(step: int) -> None:
    assert Pace().ticks(step) == Pace().step_of(step) == step
