"""The state over time in a bounded number of moments: sums since the start are sampled, and moments are differences."""

from itertools import pairwise

__all__ = ["MOST_MOMENTS", "Sums", "Timeline"]

MOST_MOMENTS = 120

Sums = tuple[float, float, float, float, float]
"""Since the start: ms, running x ms, waiting x ms, share of blocks in use x ms, tokens produced."""


class Timeline:
    """Samples at least `width` ms apart; when there are too many, every second one is dropped and `width` doubled."""

    __slots__ = ("_samples", "_width", "due")

    def __init__(self, width: float = 1.0) -> None:
        self._width = width
        self._samples: list[Sums] = [(0.0, 0.0, 0.0, 0.0, 0.0)]
        self.due = width
        """When the next sample is wanted, ms."""

    def sample(self, sums: Sums) -> None:
        """Take a sample."""
        samples = self._samples
        samples.append(sums)
        if len(samples) > 2 * MOST_MOMENTS:
            del samples[1::2]
            self._width *= 2
        self.due = sums[0] + self._width

    def moments(self, last: Sums) -> list[tuple[float, float, float, float, float]]:
        """``(middle of the interval in s, running, waiting, KV usage, output tokens a second)``, up to `last`."""
        kept = [sums for sums in self._samples if sums[0] < last[0]]
        every = -(-len(kept) // MOST_MOMENTS)
        return [_between(one, two) for one, two in pairwise([*kept[::every], last])]


def _between(one: Sums, two: Sums) -> tuple[float, float, float, float, float]:
    ms = two[0] - one[0]
    running, waiting, used, tokens = ((b - a) / ms for a, b in zip(one[1:], two[1:], strict=True))
    return (one[0] + two[0]) / 2000, running, waiting, used, 1000 * tokens
