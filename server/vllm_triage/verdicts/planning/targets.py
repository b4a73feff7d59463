"""What the user wants of the latencies and rates, and whether a prediction meets it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ...domain import Interval, Prediction

__all__ = ["METRICS", "MORE_IS_BETTER", "Met", "Outcome", "Target", "bound_waiting", "figure", "judge", "targets_of",
           "worst"]  # fmt: skip

RATES = ("output_tok_s", "total_tok_s", "request_rate")
LATENCIES = ("ttft_ms", "itl_ms", "tpot_ms", "e2e_ms")
STATISTICS = ("mean", "p50", "p99")
METRICS = (*(f"{name}_{how}" for name in LATENCIES for how in STATISTICS), *RATES)
"""What a target may be set for: the metrics contract's names, and the percentiles a simulation gives besides."""

MORE_IS_BETTER = frozenset(RATES)

Met = Literal["yes", "likely", "no"]
"""yes: by the conservative end of the 80% interval. likely: by the middle of it. no: not even by that."""

ORDER: tuple[Met, ...] = ("yes", "likely", "no")


@dataclass(frozen=True, slots=True)
class Target:
    """A limit on one figure: at most for a latency, ms; at least for a rate."""

    metric: str
    limit: float

    @property
    def rate(self) -> bool:
        """True where more is better."""
        return self.metric in MORE_IS_BETTER

    def room(self, value: float) -> float:
        """How far a figure is on the good side of the limit, as a share of the limit; negative where it is missed."""
        return (value - self.limit if self.rate else self.limit - value) / self.limit


@dataclass(frozen=True, slots=True)
class Outcome:
    """One target held against its prediction."""

    target: Target
    predicted: Interval
    met: Met

    @property
    def room(self) -> float:
        """Room left at the conservative end of the interval."""
        return self.target.room(self.predicted.low if self.target.rate else self.predicted.high)

    @property
    def short_by(self) -> float:
        """How far the middle of the interval is beyond the limit, as a share of the limit; negative where it is met."""
        return -self.target.room(self.predicted.mid)


def targets_of(slo: Mapping[str, float]) -> tuple[Target, ...]:
    """The targets of an SLO, by metric name.

    Raises:
        ValueError: a name is not among :data:`METRICS`, or a limit is not above zero.
    """
    for name, limit in slo.items():
        if name not in METRICS:
            raise ValueError(f"unknown target {name[:40]!r}; accepted: {', '.join(METRICS)}")
        if not limit > 0:
            raise ValueError(f"{name}: the limit must be above zero")
    return tuple(Target(name, limit) for name, limit in slo.items())


def bound_waiting(targets: tuple[Target, ...]) -> bool:
    """True when a target is missed as soon as requests wait long: one for the first token, the whole, or a rate."""
    return any(target.rate or target.metric.startswith(("ttft", "e2e")) for target in targets)


def figure(prediction: Prediction, metric: str) -> Interval:
    """The predicted value of a metric, with its interval."""
    if metric in MORE_IS_BETTER:
        rate: Interval = getattr(prediction, metric)
        return rate
    name, _, how = metric.rpartition("_")
    latency: Interval = getattr(getattr(prediction, name), how)
    return latency


def judge(prediction: Prediction, targets: tuple[Target, ...]) -> tuple[Outcome, ...]:
    """Every target against the prediction. Under overload no latency is met: it grows as long as the load lasts."""
    found = []
    for target in targets:
        value = figure(prediction, target.metric)
        met: Met = "no"
        if not (prediction.overloaded and not target.rate):
            sure = target.room(value.low if target.rate else value.high) >= 0
            met = "yes" if sure else "likely" if target.room(value.mid) >= 0 else "no"
        found.append(Outcome(target, value, met))
    return tuple(found)


def worst(outcomes: tuple[Outcome, ...]) -> Met:
    """The least of them: a plan is as good as the target it meets worst. ``yes`` of none."""
    return max((outcome.met for outcome in outcomes), key=ORDER.index, default="yes")
