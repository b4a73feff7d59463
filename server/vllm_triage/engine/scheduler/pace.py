"""How far a decoding request gets by a step: one token a step, or more with speculative decoding."""

from fractions import Fraction

__all__ = ["Pace"]


class Pace:
    """Ticks of the decoding requests: between two steps each of them computes as many tokens as there are ticks.

    Without speculation a step is a tick. With it, a step accepts as many drafts as it does on average, spread evenly:
    ``1 + accepted`` tokens a step, so that after any number of steps the mean is right to within a token. All requests
    advance alike; that some accept more and others less is not modelled.
    """

    __slots__ = ("_steps", "_ticks", "even")

    def __init__(self, tokens_per_step: float = 1.0) -> None:
        ratio = Fraction(tokens_per_step).limit_denominator(1000)
        self._ticks, self._steps = ratio.numerator, ratio.denominator
        self.even = ratio == 1
        """Whether every step is one tick."""

    def ticks(self, step: int) -> int:
        """Ticks before `step`."""
        return step if self.even else step * self._ticks // self._steps

    def step_of(self, tick: int) -> int:
        """The step in which a tick falls: ticks are numbered from 0."""
        return tick if self.even else -(-(tick + 1) * self._steps // self._ticks) - 1
