"""A distribution of times in constant memory: counts in buckets of equal ratio, and the exact sum."""

from math import exp, log

__all__ = ["RATIO", "Histogram"]

RATIO = 1.01
"""Upper over lower bound of a bucket: a percentile is within half a percent of a value that lies there."""

_SCALE = 1 / log(RATIO)

_OFFSET = 100_000
"""Keeps the numbers of buckets above zero, which stands for values that are not: e**-995 and up."""

_MOST_PIECES = 100
"""Buckets a run of rising values is spread over at most."""


class Histogram:
    """Weighted values above zero. What is zero or below counts as the smallest there is."""

    __slots__ = ("_counts", "count", "total")

    def __init__(self) -> None:
        self._counts: dict[int, float] = {}
        self.count = 0.0
        self.total = 0.0

    def add(self, value: float, weight: float = 1.0) -> None:
        """Count a value."""
        bucket = int(log(value) * _SCALE + _OFFSET) if value > 0 else 0
        counts = self._counts
        if bucket in counts:
            counts[bucket] += weight
        else:
            counts[bucket] = weight
        self.count += weight
        self.total += value * weight

    def add_rising(self, first: float, total: float, count: int, weight: float) -> None:
        """Count `count` values that rise evenly from `first` and add up to `total`, each `weight` times."""
        mean = total / count
        if mean <= first * RATIO or first <= 0:
            self.add(mean, weight * count)
            return
        last = 2 * mean - first
        pieces = min(_MOST_PIECES, int(log(last / first) * _SCALE) + 1)
        ratio = (last / first) ** (1 / pieces)
        low = first
        for _ in range(pieces):
            high = low * ratio
            self.add((low + high) / 2, weight * count * (high - low) / (last - first))
            low = high

    def clear(self) -> None:
        """Forget everything."""
        self._counts.clear()
        self.count = self.total = 0.0

    @property
    def mean(self) -> float:
        """The exact mean; 0 of nothing."""
        return self.total / self.count if self.count else 0.0

    def percentiles(self, *shares: float) -> tuple[float, ...]:
        """The values that the given shares (ascending, 0 to 1) of all values do not exceed; 0 of nothing."""
        ordered = sorted(self._counts.items())
        found: list[float] = []
        place, below = 0, 0.0
        for share in shares:
            wanted = share * self.count
            while place < len(ordered) - 1 and below + ordered[place][1] < wanted:
                below += ordered[place][1]
                place += 1
            found.append(_inside(*ordered[place], wanted - below) if ordered else 0.0)
        return tuple(found)


def _inside(bucket: int, count: float, wanted: float) -> float:
    """The value with `wanted` of the bucket's values at or below it."""
    return exp((bucket - _OFFSET + min(1.0, max(0.0, wanted / count))) / _SCALE) if bucket else 0.0
