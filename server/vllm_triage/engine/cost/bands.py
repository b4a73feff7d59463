"""How far a prediction may be from the truth: 80% intervals as multipliers of the figure."""

from dataclasses import astuple, dataclass

__all__ = ["Band", "Bands", "widened"]

Band = tuple[float, float]
"""Low and high multiplier: the true figure lies between ``low x`` and ``high x`` the predicted one in 80% of cases."""


@dataclass(frozen=True, slots=True)
class Bands:
    """80% intervals of four figures, and of their ratio between two configurations of one deployment.

    Found on model x GPU groups the efficiencies were not fitted on (``tools/fit_cost.py``).
    """

    ttft: Band
    itl: Band
    tpot: Band
    throughput: Band
    ratio_ttft: Band
    ratio_itl: Band
    ratio_tpot: Band
    ratio_throughput: Band


def widened(bands: Bands, factor: float) -> Bands:
    """The bands with each bound's logarithm times `factor`."""
    pairs: tuple[Band, ...] = astuple(bands)
    return Bands(*((low**factor, high**factor) for low, high in pairs))
