"""What the user cares for, as a number: how much better one prediction is than another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from ...domain import Difference, Observation, Prediction, Verdict
from ..thresholds import ITL_STALL
from .figures import METRICS, NOTICEABLE, figure, gain
from .trial import Trial

__all__ = ["Goal", "best_of", "goal_for"]

HARM_WEIGHT, MOST_TRADED = 0.5, 0.7
"""A latency that is not the goal counts half when it gets worse, and never for more than this share of what is gained:
seats for those who wait slow those who run, and that is a trade to tell of, not a reason to keep it back."""

HARM_FREE = 0.05
"""Up to this loss (5%) of another figure is the price of a change, not a harm."""

LATENCIES, RATES = ("ttft_ms_mean", "tpot_ms_mean", "itl_ms_p99"), ("output_tok_s",)


@dataclass(frozen=True, slots=True)
class Goal:
    """Targets to meet, else the figures that should improve."""

    metrics: tuple[str, ...]
    """The bottleneck's own symptoms."""
    targets: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Figures to tell first."""
        return (*self.targets, *self.metrics)

    def gain(self, before: Prediction, after: Prediction, found: Mapping[str, Difference]) -> float:
        """How much nearer `after` is to the goal, harm to other figures taken off; 0.1 is about 10%."""
        missed = self._missed(before)
        if self.targets and missed > 0:
            own, broken = missed - self._missed(after), 0.0
        else:
            own, broken = sum(gain(name, found[name]) for name in self.metrics), self._missed(after)
        traded = min(HARM_WEIGHT * self._harm(found, LATENCIES), MOST_TRADED * max(0.0, own))
        return own - traded - self._harm(found, RATES) - broken

    def _missed(self, prediction: Prediction) -> float:
        """How far the targets are missed in all: the sum of the logs of the excess."""
        total = 0.0
        for metric, target in self.targets.items():
            if metric in METRICS and target > 0 and (value := figure(prediction, metric).mid) > 0:
                excess = log(target / value) if METRICS[metric].more_is_better else log(value / target)
                total += max(0.0, excess)
        return total

    def _harm(self, found: Mapping[str, Difference], watched: tuple[str, ...]) -> float:
        others = (found[name] for name in watched if name not in self.metrics and name in found)
        return sum(max(0.0, _loss(one) - HARM_FREE) for one in others)


def _loss(found: Difference) -> float:
    """How much worse a figure gets; a tail of ITL counts from where it is harm on."""
    lost = -gain(found.metric, found)
    if found.metric == "itl_ms_p99" and lost > 0 and found.before > 0:
        return min(lost, log(max(1.0, found.after.mid / ITL_STALL)))
    return lost


def best_of(goal: Goal, before: Prediction, trials: Sequence[Trial | None]) -> int | None:
    """The place of the trial that gains most; None where none gains anything worth a restart."""
    gains = [
        (goal.gain(before, trial.prediction, trial.by_metric), -place)
        for place, trial in enumerate(trials) if trial is not None and trial.prediction is not None
    ]  # fmt: skip
    most, place = max(gains, default=(0.0, 0))
    return -place if most > NOTICEABLE else None


def goal_for(verdict: Verdict | None, observation: Observation, targets: Mapping[str, float]) -> Goal:
    """The goal of a diagnosis: the targets where they are given, else the symptoms of what binds."""
    known = {name: target for name, target in targets.items() if name in METRICS and target > 0}
    return Goal(metrics=_symptoms(verdict, observation), targets=known)


def _symptoms(verdict: Verdict | None, observation: Observation) -> tuple[str, ...]:
    first = "ttft_ms_p99" if observation.ttft_ms_p99 is not None and observation.ttft_ms_mean is None else "ttft_ms_mean"
    if verdict is None:
        return (first, "output_tok_s")
    if verdict.bottleneck == "decode_bound" or verdict.outside in ("interconnect", "host_overhead"):
        return ("tpot_ms_mean",)
    if verdict.bottleneck == "chunked_prefill_missized" and verdict.sub_bound != "budget_too_small":
        return ("itl_ms_p99",)
    if verdict.bottleneck == "kv_starvation" and (observation.preemption_rate or observation.preemptions_total):
        return (first, "itl_ms_p99", "output_tok_s")  # thrown-away work shows in all three
    return (first,)
