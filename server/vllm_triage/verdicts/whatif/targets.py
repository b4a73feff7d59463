"""Targets held against a prediction."""

from collections.abc import Mapping

from ...domain import Interval, Noun, Prediction
from .figures import METRICS, figure

__all__ = ["SloForecast", "forecasts"]


class SloForecast(Noun):
    """One target against what is predicted. `met` is None where the interval holds the target: it may go either way."""

    metric: str
    target: float
    predicted: Interval
    met: bool | None


def forecasts(
    targets: Mapping[str, float], prediction: Prediction, after: Mapping[str, Interval] | None = None
) -> tuple[SloForecast, ...]:
    """Each target of a metric that is predicted.

    Args:
        targets: by metric name.
        prediction: of the configuration.
        after: figures known better than the prediction has them (a measured one times a predicted ratio).
    """
    found = []
    for metric, target in targets.items():
        if metric in METRICS:
            value = (after or {}).get(metric) or figure(prediction, metric)
            found.append(SloForecast(metric=metric, target=float(target), predicted=value, met=_met(metric, target, value)))
    return tuple(found)


def _met(metric: str, target: float, value: Interval) -> bool | None:
    if METRICS[metric].more_is_better:
        return True if value.low >= target else False if value.high < target else None
    return True if value.high <= target else False if value.low > target else None
