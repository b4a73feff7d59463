"""From what fits to what was simulated: the likeliest few, with replicas and knobs moved until they meet the targets."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...domain import Json, Workload
from ...engine.cost import CannotPredict, cost_model
from .knobs import knobs
from .launches import Launch, Refused
from .outlook import look, rough
from .prospects import Ask, Prospect, sized, with_replicas
from .ranking import spend
from .trials import Predict, Trial, trial

__all__ = ["MOST_TRIALS", "Search"]

MOST_TRIALS = 9
"""Simulations for one plan; each takes a tenth of a second or so."""

MOST_CHOSEN = 6
"""Prospects that are simulated at all."""

EACH_PRECISION = 2
"""Prospects of one precision on one kind of GPU."""

CROWDED = 0.3
"""Share that waits above which a figure tells of the queue, and nothing of another configuration."""

GRADE = {"yes": 2, "likely": 1, "no": 0}


@dataclass(slots=True)
class Search:
    """Simulations of one plan, within a fixed number."""

    ask: Ask
    workload: Workload
    simulate: Predict | None = None
    progress: Callable[[float], None] | None = None
    left: int = MOST_TRIALS
    lacking: tuple[str, ...] = ()
    """What the simulator asked for."""
    refused: list[Refused] = field(default_factory=list)
    """What was launched with other knobs and did not start."""
    bounds: dict[str, float] = field(default_factory=dict)
    """By metric: the conservative end of the last simulated figure over the rough one. Bursts and percentiles look
    alike on all configurations of one traffic, so the next one is sized with it."""

    def run(self, found: list[Prospect]) -> list[Trial]:
        """The trials of the likeliest prospects."""
        trials: list[Trial] = []
        for prospect in _chosen(found):
            if self.bounds:
                prospect = sized(self.ask, prospect, self.bounds)  # noqa: PLW2901 - the same one, seen better
            if self.left > 0 and not _pointless(prospect, trials):
                trials += self.settle(prospect)
        return trials

    def settle(self, prospect: Prospect) -> list[Trial]:
        """Try a prospect; with more or fewer replicas where the simulation says so; then with another knob."""
        trials: list[Trial] = []
        replicas: int | None = prospect.replicas
        while replicas is not None and len(trials) < 3 and (made := self._try(prospect, replicas)) is not None:
            trials.append(made)
            replicas = self._next(prospect, trials)
        best = max(trials, key=lambda trial: (GRADE[trial.met], trial.room), default=None)
        if best is not None and best.met != "yes":
            trials += self._tuned(prospect, best)
        return trials

    def _next(self, prospect: Prospect, trials: list[Trial]) -> int | None:
        """How many replicas to try after these; None when the last word is said."""
        last, tried = trials[-1], {trial.launch.layout.replicas for trial in trials}
        replicas = last.launch.layout.replicas
        if last.prediction.waiting <= CROWDED * (last.prediction.running + last.prediction.waiting):
            self.bounds |= self._measured(prospect, last)
        wanted = sized(self.ask, prospect, self.bounds).replicas
        if last.met == "yes":
            return wanted if wanted < replicas and wanted not in tried else None
        more = min(prospect.most, max(wanted, replicas + 1))
        return more if more not in tried and not any(trial.met == "yes" for trial in trials) else None

    def _measured(self, prospect: Prospect, made: Trial) -> dict[str, float]:
        ranks = made.launch.layout.replicas * prospect.engine.dp
        outlook = look(prospect.single, prospect.cost, self.ask.demand, ranks)
        found = {}
        for outcome in made.outcomes:
            value = rough(outlook, self.ask.demand, outcome.target, ranks)
            bound = outcome.predicted.low if outcome.target.rate else outcome.predicted.high
            if value > 0 and bound > 0:
                found[outcome.target.metric] = bound / value
        return found

    def _tuned(self, prospect: Prospect, best: Trial) -> Iterator[Trial]:
        """The same with the knob moved that the missed target asks for."""
        for changes in knobs(best, self.ask.demand):
            made = self._try(prospect, best.launch.layout.replicas, **changes)
            if made is not None:
                yield made

    def _try(self, prospect: Prospect, replicas: int, **tuned: Json) -> Trial | None:
        if self.left <= 0:
            return None
        made = with_replicas(self.ask, prospect, replicas, **tuned)
        if isinstance(made, Refused):
            self.refused.append(made)
            return None
        if tuned and _set_aside(made, tuned):
            return None
        self.left -= 1
        if self.progress is not None:
            self.progress(1 - (self.left + 1) / (MOST_TRIALS + 1))
        try:
            cost = cost_model(made.deployment, made.memory) if tuned else prospect.cost
            return trial(made, cost, self.workload, self.ask.demand, self.ask.targets, simulate=self.simulate)
        except CannotPredict as error:
            self.lacking = (*self.lacking, *error.missing)
            return None


def _chosen(found: list[Prospect]) -> list[Prospect]:
    """The likeliest few, some of every precision and kind of GPU; and the checkpoint as it is on each, where it fits."""
    chosen: list[Prospect] = []
    count: dict[tuple[str, str], int] = {}
    ordered = sorted(found, key=_likeliest)
    for prospect in ordered:
        key = (prospect.fleet.gpu.name, prospect.variant.name)
        count[key] = count.get(key, 0) + 1
        if count[key] <= EACH_PRECISION:
            chosen.append(prospect)
    own = {p.fleet.gpu.name: p for p in reversed(ordered) if not p.variant.altered}
    few = chosen[:MOST_CHOSEN]
    missing = [p for p in own.values() if not any(q.fleet is p.fleet and not q.variant.altered for q in few)]
    return [*few[:1], *missing, *few[1:]]


def _likeliest(prospect: Prospect) -> tuple[float, ...]:
    """What meets the targets, cheapest first; then what comes nearest."""
    cheap = (prospect.spend, float(prospect.variant.altered)) if prospect.hope else (prospect.short, prospect.spend)
    return (float(-prospect.hope), float(prospect.variant.altered > 1), *cheap, prospect.outlook.step_ms)


def _pointless(prospect: Prospect, trials: list[Trial]) -> bool:
    """True where something tried meets the targets for no more, with numbers altered no more; or where nothing is hoped."""
    cheap = [t for t in trials if t.met == "yes" and spend(t) <= prospect.spend]
    if prospect.variant.altered > 1 and cheap:
        return True
    if not prospect.variant.altered and not any(t.launch.variant.altered == 0 for t in trials):
        return False  # what the checkpoint does as it is, is always worth knowing
    if prospect.hope == 0:
        return len(trials) >= MOST_TRIALS // 2 or any(t.met == "yes" for t in trials)
    return len([t for t in cheap if t.launch.altered <= prospect.variant.altered]) >= EACH_PRECISION


def _set_aside(launch: Launch, tuned: dict[str, Json]) -> bool:
    """True when this version or device makes a knob slow, or sets it aside."""
    flags = {"--" + name.replace("_", "-") for name in tuned}
    return any(
        flags & set(finding.flags) and finding.severity in ("silent", "degraded") for finding in launch.report.findings
    )
