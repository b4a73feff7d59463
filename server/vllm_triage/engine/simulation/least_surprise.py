"""Unknowns that explain measurements with the least surprise: a small regularised least squares."""

from collections.abc import Sequence

__all__ = ["least_surprise"]


def least_surprise(
    slopes: Sequence[Sequence[float]], missing: Sequence[float], trust: Sequence[float], at: Sequence[float],
    doubt: Sequence[float],
) -> list[float]:  # fmt: skip
    """The step from `at` that makes up for what is `missing` in each measurement, ending as near to zero as it can.

    Minimises ``sum(((slopes step - missing) / trust)^2) + sum(((at + step) / doubt)^2)``: `trust` is the standard deviation
    of each measurement, `doubt` that of each unknown around zero.
    """
    size = len(at)
    weights = [1 / deviation**2 for deviation in trust]
    rows = [
        [
            sum(weight * slope[i] * slope[j] for weight, slope in zip(weights, slopes, strict=True))
            + (i == j) / doubt[i] ** 2
            for j in range(size)
        ]
        + [
            sum(weight * slope[i] * short for weight, slope, short in zip(weights, slopes, missing, strict=True))
            - at[i] / doubt[i] ** 2
        ]
        for i in range(size)
    ]
    for i in range(size):  # positive definite: no pivot is zero
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [value - rows[j][i] * pivot for value, pivot in zip(rows[j], rows[i], strict=True)]
    return [row[size] for row in rows]
