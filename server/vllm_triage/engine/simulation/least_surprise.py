"""Unknowns that explain measurements with the least surprise: a small regularised least squares."""

from collections.abc import Sequence

__all__ = ["TRUST", "least_surprise"]

TRUST = 0.01
"""Standard deviation of a measurement: small beside any doubt, so that measurements are met where that is possible."""


def least_surprise(
    slopes: Sequence[Sequence[float]], missing: Sequence[float], at: Sequence[float], doubt: Sequence[float]
) -> list[float]:
    """The step from `at` that makes up for what is `missing` in each measurement, ending as near to zero as it can.

    Minimises ``sum((slopes step - missing)^2) / TRUST^2 + sum(((at + step) / doubt)^2)``.
    """
    size = len(at)
    rows = [
        [sum(slope[i] * slope[j] for slope in slopes) / TRUST**2 + (i == j) / doubt[i] ** 2 for j in range(size)]
        + [
            sum(slope[i] * short for slope, short in zip(slopes, missing, strict=True)) / TRUST**2
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
