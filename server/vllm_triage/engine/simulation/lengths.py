"""Token counts drawn from a distribution, the same ones for the same seed."""

from collections.abc import Callable, Iterator
from math import exp, log, log1p, sqrt
from random import Random

from ...domain import Lengths

__all__ = ["STRATA", "draws"]

STRATA = 64
"""Values are drawn in rounds of as many, one from each of as many equal shares of the distribution, in random order:
a few hundred requests then have the distribution's mean, and two configurations are compared on the same requests."""


def draws(lengths: Lengths, rng: Random) -> Iterator[int]:
    """Token counts without end; each is at least 1."""
    if lengths.shape == "fixed" or not (lengths.spread or lengths.shape in ("exponential", "empirical")):
        fixed = max(1, round(lengths.mean))
        while True:
            yield fixed
    value = _quantile(lengths)
    order = list(range(STRATA))
    while True:
        rng.shuffle(order)
        yield from [max(1, round(value((stratum + rng.random()) / STRATA))) for stratum in order]


def _quantile(lengths: Lengths) -> Callable[[float], float]:
    """The value that a share of all values does not exceed."""
    mean, spread, values = lengths.mean, lengths.spread, sorted(lengths.values)
    if lengths.shape == "empirical":
        known = values or [round(mean)]
        return lambda share: float(known[int(share * len(known))])
    if lengths.shape == "uniform":
        return lambda share: mean * (1 + spread * (2 * share - 1))
    if lengths.shape == "exponential":
        return lambda share: -mean * log1p(-share)
    return _lognormal(mean, spread)


def _lognormal(mean: float, spread: float) -> Callable[[float], float]:
    from statistics import NormalDist  # noqa: PLC0415 - slow to import, and rarely needed

    variance = log1p(spread * spread)
    middle, sigma, normal = log(mean) - variance / 2, sqrt(variance), NormalDist()
    return lambda share: exp(middle + sigma * normal.inv_cdf(min(max(share, 1e-12), 1 - 1e-12)))
