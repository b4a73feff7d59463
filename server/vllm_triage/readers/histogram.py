"""A Prometheus histogram as it stands in a scrape: cumulative buckets, a sum and a count."""

import math
from dataclasses import dataclass, field

__all__ = ["Histogram"]


@dataclass(slots=True)
class Histogram:
    """Cumulative counts by upper bound. Added over engines, subtracted between scrapes."""

    total: float = 0.0
    """Sum of all observations."""
    count: float = 0.0
    buckets: dict[float, float] = field(default_factory=dict)

    def since(self, earlier: "Histogram") -> "Histogram":
        """What was observed after `earlier`. Bounds that only one of the two has are dropped."""
        shared = self.buckets.keys() & earlier.buckets.keys()
        return Histogram(
            total=self.total - earlier.total,
            count=self.count - earlier.count,
            buckets={le: self.buckets[le] - earlier.buckets[le] for le in sorted(shared)},
        )

    def mean(self) -> float | None:
        """Sum over count; None when nothing was observed or the parts make no sense."""
        if not (self.count > 0 and math.isfinite(self.total) and math.isfinite(self.count)) or self.total < 0:
            return None
        return self.total / self.count

    def quantile(self, q: float) -> tuple[float, bool] | None:
        """The `q` quantile, linear inside its bucket, and whether it is only a lower bound (above the last finite
        bound).

        None without buckets, without observations, when the buckets are not cumulative, or when the quantile lies in
        the lowest bucket: there the buckets only say "below the bound", and a straight line through it would be an
        invention.
        """
        bounds = sorted(self.buckets)
        if not bounds or self.count <= 0:
            return None
        top = max(self.buckets[bounds[-1]], 0.0)
        target, below, low = q * max(top, self.count), 0.0, 0.0
        if self.buckets[bounds[0]] >= target:
            return None
        for bound in bounds:
            cumulative = self.buckets[bound]
            if not cumulative >= below:  # also catches NaN
                return None
            if cumulative >= target and cumulative > below:
                if math.isinf(bound):
                    break
                return low + (bound - low) * (target - below) / (cumulative - below), False
            below = cumulative
            if math.isfinite(bound):
                low = bound
        return low, True
