"""Times of steps that only decode, asked for over and over: where they are a line, the line is kept.

With as many sequences, a step's time grows in proportion to the context they hold, unless the model's layers see a window
only. The line is found once for each number of sequences; a stretch of steps is then an arithmetic series, and how many
steps fit into a time is the root of a quadratic.
"""

from math import ceil, sqrt

from .costs import StepCosts

__all__ = ["DecodeTimes"]

_STRAIGHT = 1e-9
"""Relative difference from a straight line that is none."""


class DecodeTimes:
    """Step times of one engine whose sequences hold `longest` tokens at most."""

    __slots__ = ("_costs", "_lines", "_longest", "_pace")

    def __init__(self, costs: StepCosts, longest: int, pace: float) -> None:
        self._costs = costs
        self._longest = longest
        self._pace = pace
        """Tokens each sequence grows by in a step."""
        self._lines: dict[int, tuple[float, float] | None] = {}

    def step(self, decodes: int, context: int) -> float:
        """One step."""
        line = self._line(decodes)
        return line[0] + line[1] * context if line else self._costs.stretch_ms(decodes, context, 0.0, 1)

    def stretch(self, decodes: int, context: int, count: int) -> float:
        """`count` steps, each of which adds a step's tokens to the context of the next."""
        growth = decodes * self._pace
        line = self._line(decodes)
        if line:
            return count * (line[0] + line[1] * (context + growth * (count - 1) / 2))
        return self._costs.stretch_ms(decodes, context, growth, count)

    def until(self, decodes: int, context: int, gap: float, most: int) -> tuple[int, float]:
        """As few steps as last for `gap` ms or more, but no more than `most`; and their time."""
        line = self._line(decodes)
        if line is None:
            return self._search(decodes, context, gap, most)
        first, rise = line[0] + line[1] * context, line[1] * decodes * self._pace
        if rise * gap < 1e-6 * first * first:
            steps = ceil(gap / first)
        else:  # n first + rise n (n - 1) / 2 = gap
            half = first - rise / 2
            steps = ceil((sqrt(half * half + 2 * rise * gap) - half) / rise)
        steps = min(most, max(1, steps))
        took = self.stretch(decodes, context, steps)
        # that is right but for rounding
        while took < gap and steps < most:
            steps += 1
            took = self.stretch(decodes, context, steps)
        while steps > 1 and (before := self.stretch(decodes, context, steps - 1)) >= gap:
            steps, took = steps - 1, before
        return steps, took

    def _search(self, decodes: int, context: int, gap: float, most: int) -> tuple[int, float]:
        """The same where the times bend: by halving."""
        low, high = (
            1,
            min(most, max(1, ceil(gap / self.step(decodes, context)))),
        )  # steps grow longer: no more than this
        while low < high:
            middle = (low + high) // 2
            if self.stretch(decodes, context, middle) >= gap:
                high = middle
            else:
                low = middle + 1
        return low, self.stretch(decodes, context, low)

    def _line(self, decodes: int) -> tuple[float, float] | None:
        if decodes in self._lines:
            return self._lines[decodes]
        low, high = decodes, decodes * self._longest
        middle = round(sqrt(low * high))
        at_low, at_middle, at_high = (self._costs.stretch_ms(decodes, held, 0.0, 1) for held in (low, middle, high))
        slope = (at_high - at_low) / max(1, high - low)
        straight = at_low + slope * (middle - low)
        line = (at_low - slope * low, slope) if abs(at_middle - straight) <= _STRAIGHT * at_middle else None
        self._lines[decodes] = line
        return line
