"""Times of steps that only decode: the line, and the root of the quadratic."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.simulation.traffic_cases import Pencil
from vllm_triage.engine.simulation.decode_times import DecodeTimes


@dataclass(frozen=True)
class Windowed(Pencil):
    """Reading the context stops to take longer once the sequences hold 100 tokens each."""

    def stretch_ms(self, decodes: int, context: int, growth: float, count: int) -> float:
        return sum(
            self.step + self.decode * decodes + self.context * min(100 * decodes, context + growth * place)
            for place in range(count)
        )


@given(
    st.sampled_from([Pencil(), Windowed(), Pencil(context=0.0)]),
    st.integers(1, 50),
    st.integers(1, 300),
    st.integers(1, 80),
)
def test_a_stretch_is_the_sum_of_its_steps(costs: Pencil, decodes: int, each: int, count: int) -> None:
    times = DecodeTimes(costs, 1000, 1.0)
    steps = sum(times.step(decodes, decodes * (each + place)) for place in range(count))
    assert times.stretch(decodes, decodes * each, count) == pytest.approx(steps)


@given(
    st.sampled_from([Pencil(), Windowed(), Pencil(context=0.0)]), st.integers(1, 50), st.integers(1, 300),
    st.floats(0.1, 900.0), st.integers(1, 60),
)  # fmt: skip
def test_as_few_steps_as_last_for_a_time(costs: Pencil, decodes: int, each: int, gap: float, most: int) -> None:
    times = DecodeTimes(costs, 1000, 1.0)
    steps, took = times.until(decodes, decodes * each, gap, most)
    assert 1 <= steps <= most
    assert took == times.stretch(decodes, decodes * each, steps)
    assert took >= gap or steps == most
    assert steps == 1 or times.stretch(decodes, decodes * each, steps - 1) < gap


def test_a_line_is_asked_for_once_for_each_number_of_sequences() -> None:
    asked = 0

    class Counting(Pencil):
        def stretch_ms(self, decodes: int, context: int, growth: float, count: int) -> float:
            nonlocal asked
            asked += 1
            return super().stretch_ms(decodes, context, growth, count)

    times = DecodeTimes(Counting(), 1000, 1.0)
    for context in range(100, 1000):
        times.until(10, context, 500.0, 100)
    assert asked == 3
