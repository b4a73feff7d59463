"""Intervals from errors: how far the truth lay from what was predicted, as multipliers.

All errors are those of runs whose group was left out of the fit. Quantiles are a little wider than the 80% they stand
for, and runs of one group together weigh as the square root of their number: a new group is one of few.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from cost_arrays import Arrays
from vllm_triage.engine.cost.bands import Band, Bands

__all__ = ["Errors", "bands_of", "calibrated_bands_of", "pairs_of"]

LOW, HIGH = 0.08, 0.92
TTFT, TPOT, RATE = range(3)
NEAR = 4.0
"""Loads up to this ratio are neighbours."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Logarithms of predicted over measured, of TTFT, TPOT and throughput."""

    off: np.ndarray
    groups: tuple[str, ...]
    setups: tuple[str, ...]
    shapes: tuple[str, ...]
    loads: tuple[float, ...]

    @staticmethod
    def of(arrays: Arrays, predicted: np.ndarray, over: np.ndarray) -> "Errors":
        """The errors of the runs of `over`."""
        rows = np.flatnonzero(over)
        runs = [arrays.runs[row] for row in rows]
        return Errors(
            (predicted - arrays.measured)[rows],
            tuple(run.group for run in runs),
            tuple(run.setup for run in runs),
            tuple(f"{run.workload.input} {run.workload.output} {run.workload.arrivals}" for run in runs),
            tuple(float(run.workload.concurrency or run.workload.requests or 1) for run in runs),
        )


def pairs_of(errors: Errors, *, near: bool) -> list[tuple[int, int]]:
    """Pairs of one group that differ in load, or in what was configured, alone.

    Args:
        near: only those of one setup and neighbouring loads.
    """
    by_group: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(errors.groups):
        by_group[name].append(place)
    found: list[tuple[int, int]] = []
    for places in by_group.values():
        for one in places:
            for other in places:
                same = errors.setups[one] == errors.setups[other]
                alike = errors.shapes[one] == errors.shapes[other]
                ratio = errors.loads[other] / errors.loads[one]
                in_load = same and alike and ratio != 1 and 1 / NEAR <= ratio <= NEAR
                in_setup = alike and not same and ratio == 1
                if in_load or (in_setup and not near):
                    found.append((one, other))
    return found


def bands_of(errors: Errors) -> Bands:
    """Intervals before calibration."""
    weights = _weights(errors.groups)
    own = [_band(errors.off[:, column], weights) for column in (TTFT, TPOT, RATE)]
    pairs = pairs_of(errors, near=False)
    return _joined(own, _ratios(errors, pairs))


def calibrated_bands_of(errors: Errors) -> Bands:
    """Intervals after calibration on a point of the same setup: what two neighbours' errors do not have in common."""
    ratios = _ratios(errors, pairs_of(errors, near=True))
    return _joined(ratios, ratios)


def _ratios(errors: Errors, pairs: list[tuple[int, int]]) -> list[Band]:
    one, other = (np.array(side) for side in zip(*pairs, strict=True))
    weights = _weights(tuple(errors.groups[place] for place in one))
    return [_band(errors.off[other, column] - errors.off[one, column], weights) for column in (TTFT, TPOT, RATE)]


def _joined(own: list[Band], ratios: list[Band]) -> Bands:
    """No row of means tells of ITL apart from TPOT: without speculation it is the same figure."""
    return Bands(
        ttft=own[TTFT], itl=own[TPOT], tpot=own[TPOT], throughput=own[RATE], ratio_ttft=ratios[TTFT],
        ratio_itl=ratios[TPOT], ratio_tpot=ratios[TPOT], ratio_throughput=ratios[RATE],
    )  # fmt: skip


def _weights(groups: tuple[str, ...]) -> np.ndarray:
    names, where, count = np.unique(groups, return_inverse=True, return_counts=True)
    del names
    return (count.astype(float) ** -0.5)[where]


def _band(off: np.ndarray, weights: np.ndarray) -> Band:
    """What the prediction is to be multiplied with: it was high where `off` is positive."""
    order = np.argsort(off)
    reached = np.cumsum(weights[order]) / weights.sum()
    low, high = (off[order][min(len(off) - 1, int(np.searchsorted(reached, share)))] for share in (LOW, HIGH))
    return min(1.0, float(np.exp(-high))), max(1.0, float(np.exp(-low)))
