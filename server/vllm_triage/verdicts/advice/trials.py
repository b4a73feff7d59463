"""Candidates tried on the simulator: which help under the measured load, at which value, and which do not.

Only where the four core metrics, the lengths and the machine are known; elsewhere advice rests on arithmetic, and its
wording says so. The work is bounded by requests simulated, never by the clock, so the same question gets the same answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log

from ...domain import CompatReport, Exhausted
from ...engine.change import with_flags
from ...engine.cost import CannotPredict
from ..compat import check
from ..whatif import Goal, Ground, Trial, forecasts, goal_for, ground_on, try_change, try_replicas
from ..whatif.figures import NOTICEABLE, gain
from .situation import Candidate, Situation

__all__ = ["Bench", "Tried", "bench_for", "told_useless"]

WORK = 1600
"""Requests simulated with changed launches for one diagnosis: a tenth of a second or so."""

LEAST_TRIALS = 3
"""Changes tried in any case, however long one run is."""

ENOUGH = log(2)
"""A symptom that is halved is cured: between changes that do as much, what they cost otherwise decides."""

ROUNDS, FEWEST, MOST = 2, 64, 3000
"""Rounds of all users in one simulation: with two, mean latencies and rates are within 2% of those of twelve; and the
fewest and most requests. Where the traffic says how many were sent, all of them are simulated."""

MOST_TRIED = 50_000
"""Requests in the system above which no change is tried: one simulation alone would take as long as all else."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A candidate that this version takes, with what the simulation says of it; `trial` is None where it says nothing."""

    candidate: Candidate
    report: CompatReport
    trial: Trial | None = None
    gain: float = 0.0
    """How much nearer the goal, as :meth:`Goal.gain` counts it."""

    @property
    def simulated(self) -> bool:
        """True when the simulator sees what the candidate changes."""
        return self.trial is not None and self.trial.prediction is not None and not self.trial.blind

    @property
    def helps(self) -> bool:
        """False where the simulation shows no gain worth a restart."""
        return not self.simulated or self.gain > NOTICEABLE

    @property
    def output_gain(self) -> float:
        """Gain of throughput, as :func:`gain` counts it."""
        found = None if self.trial is None else self.trial.by_metric.get("output_tok_s")
        return 0.0 if found is None else gain("output_tok_s", found)

    @property
    def helps_plainly(self) -> bool:
        """True where nothing gets worse for what gets better, or more is served in all."""
        plain = self.trial is not None and self.trial.effect == "better"
        return self.helps and (plain or self.output_gain > NOTICEABLE)

    @property
    def rank(self) -> float:
        """The gain, as far as it decides, less what the change costs otherwise."""
        return min(self.gain, ENOUGH) - self.candidate.harm


class Bench:
    """One launch under the measured load, and a budget of requests to try changes with."""

    def __init__(self, ground: Ground, goal: Goal, situation: Situation) -> None:
        self.ground = ground
        self.goal = goal
        self._targets = situation.targets
        self._left = max(WORK, LEAST_TRIALS * ground.prediction.requests)

    def allow(self, trials: int) -> None:
        """Room for so many trials more."""
        self._left = max(self._left, trials * self.ground.prediction.requests)

    def best(self, candidate: Candidate, report: CompatReport) -> Tried | Exhausted:
        """The candidate at the value that gains most."""
        first = self._try(candidate, report)
        if isinstance(first, Exhausted) or not first.simulated:
            return first
        best = max((first, *self._others(candidate)), key=lambda tried: tried.gain)
        if best.helps:
            return best
        return first if candidate.refutable else Tried(candidate, report)

    def _others(self, candidate: Candidate) -> Iterator[Tried]:
        for other in candidate.others:
            if self._left <= 0:
                return
            report = check(with_flags(self.ground.deployment, other.changes))
            found = self._try(other, report) if report.stops(check(self.ground.deployment)) is None else None
            if isinstance(found, Tried) and found.simulated:
                yield found

    def _try(self, candidate: Candidate, report: CompatReport) -> Tried | Exhausted:
        if not (candidate.changes or candidate.replicas > 1) or self._left <= 0:
            return Tried(candidate, report)
        trial = self._trial(candidate, report)
        if trial.prediction is None:
            return Exhausted(change=candidate.action, because=trial.words)
        self._left -= trial.prediction.requests
        gained = self.goal.gain(self.ground.prediction, trial.prediction, trial.by_metric)
        told = candidate if trial.blind else replace(candidate, expected=self._expected(trial))
        return Tried(told, report, trial, gained)

    def _trial(self, candidate: Candidate, report: CompatReport) -> Trial:
        if candidate.replicas > 1:
            return try_replicas(self.ground, candidate.replicas, report, first=self.goal.names)
        base = candidate.deployment
        ground = self.ground if base is None else replace(self.ground, deployment=base)
        return try_change(ground, candidate.changes, first=self.goal.names, compat=report)

    def _expected(self, trial: Trial) -> str:
        """The effect as simulated, with the pool where it changes, and the targets."""
        far = "; far from what was measured: take the direction, not the size" if self.ground.strayed else ""
        said = [f"{trial.words} (simulated, {self.ground.basis_words}{far})"]
        before, after = self.ground.memory.pool, trial.memory.pool
        if before is not None and after is not None and before.tokens and after.tokens and before.tokens != after.tokens:
            said.append(f"KV pool {before.tokens:,} -> {after.tokens:,} tokens")
        if trial.prediction is not None:
            known = self.ground.prediction.assumptions
            said += [note for note in trial.prediction.assumptions if note not in known][:2]
            for forecast in forecasts(self._targets, trial.prediction, trial.after):
                outcome = {True: "met", False: "still missed", None: "perhaps met"}[forecast.met]
                said.append(f"target {forecast.metric} {forecast.target:g} {outcome}")
        return "; ".join(said)


def bench_for(situation: Situation) -> Bench | None:
    """A bench for this situation; None where nothing can be simulated."""
    if situation.memory is None or situation.observation.missing_core() or (situation.concurrency or 0) > MOST_TRIED:
        return None
    try:
        ground = ground_on(
            situation.deployment, situation.memory, situation.observation, at_most=_requests(situation)
        )
    except CannotPredict:
        return None
    return Bench(ground, goal_for(situation.verdict, situation.observation, situation.targets), situation)


def _requests(situation: Situation) -> int:
    return int(min(MOST, max(FEWEST, ROUNDS * (situation.concurrency or 0))))


def told_useless(spent: Sequence[Tried]) -> tuple[str, ...]:
    """What the simulation shows not to help, each with what it does."""
    return tuple(
        f"{tried.candidate.action}: simulated, {tried.trial.words}" for tried in spent if tried.trial is not None
    )
