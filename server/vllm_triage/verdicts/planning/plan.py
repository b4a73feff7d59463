"""The plan: which configurations serve this traffic within these targets on these GPUs."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from ...domain import Workload
from ...engine.simulation import CannotPredict
from .fleet import NODE, Fleet
from .launches import Refused
from .layouts import most_replicas
from .prospects import Ask, Prospect, prospects, sized
from .ranking import ranked, spend
from .search import Search
from .trials import Predict, Trial

__all__ = ["Plan", "Scale", "plan"]

MOST_ENLARGED = 512
"""GPUs up to which it is asked how many would do."""

SCALE_TRIALS = 6

SURE = 2
"""Hope of a prospect that meets the targets by conservative figures."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How many GPUs would meet the targets, by the numbers."""

    gpus: int
    trial: Trial


@dataclass(frozen=True, slots=True)
class Plan:
    """The outcome of planning."""

    status: Literal["planned", "nothing_meets", "nothing_fits"]
    trials: tuple[Trial, ...] = ()
    """Best first; where nothing meets the targets, the closest."""
    beaten: tuple[tuple[Trial, Trial], ...] = ()
    refused: tuple[Refused, ...] = ()
    unsimulated: tuple[Prospect, ...] = ()
    """What fits and promised less than what was simulated."""
    would: Scale | None = None
    """Where nothing meets the targets: what would, if such a number was found."""
    hopeless: bool = False
    """True when arithmetic shows that no number of these GPUs up to :data:`MOST_ENLARGED` would."""
    missing: tuple[str, ...] = field(default=())
    """What could not be predicted for, by kind of GPU."""


def plan(
    ask: Ask,
    fleets: tuple[Fleet, ...],
    workload: Workload,
    *,
    simulate: Predict | None = None,
    progress: Callable[[float], None] | None = None,
) -> Plan:
    """Plan a deployment.

    Args:
        ask: the launch or model, the demand and the targets.
        fleets: the GPUs there are.
        workload: the traffic of the whole deployment.
        simulate: in place of ``engine.simulation.predict``.
        progress: told now and then how far it is, 0 to 1; what it raises ends the planning.
    """
    found: list[Prospect] = []
    refused: list[Refused] = []
    missing: list[str] = []
    for fleet in fleets:
        try:
            fits, not_these = prospects(ask, fleet)
        except CannotPredict as error:
            missing += error.missing
            continue
        found += fits
        refused += not_these
    search = Search(ask, workload, simulate, progress)
    trials = search.run(found)
    shown, beaten = ranked(trials)
    missing += [] if trials else search.lacking
    refused += search.refused
    tried = {(t.launch.fleet.gpu.name, t.launch.variant.name, t.launch.layout.engine) for t in trials}
    rest = tuple(p for p in found if (p.fleet.gpu.name, p.variant.name, p.engine) not in tried)
    met = any(trial.met == "yes" for trial in shown)
    stopped = not found and all(one.rule for one in refused)  # by what this version refuses, which no GPU mends
    would, hopeless = None, False
    if not met and not missing and not stopped:
        would, hopeless = _enlarged(ask, fleets, workload, simulate, progress, search.bounds)
    if progress is not None:
        progress(1.0)
    return Plan(
        "planned" if met else "nothing_meets" if shown else "nothing_fits", tuple(shown), tuple(beaten), tuple(refused),
        rest, would, hopeless, tuple(dict.fromkeys(missing)),
    )  # fmt: skip


def _enlarged(
    ask: Ask, fleets: tuple[Fleet, ...], workload: Workload, simulate: Predict | None,
    progress: Callable[[float], None] | None, bounds: dict[str, float],
) -> tuple[Scale | None, bool]:  # fmt: skip
    """The least spend on one of these kinds that meets the targets: by arithmetic, and then simulated.

    And whether it is for want of arithmetic hope, not of simulations, where there is none.
    """
    search = Search(ask, workload, simulate, progress, left=SCALE_TRIALS, bounds=dict(bounds))
    scales: list[Scale] = []
    hopeless = True
    for fleet in fleets:
        try:
            every = [p for p in prospects(ask, replace(fleet, count=MOST_ENLARGED))[0] if p.variant.altered <= 1]
        except CannotPredict:  # nothing fitted before, so nobody had asked
            hopeless = False
            continue
        hopeless = hopeless and all(p.hope < SURE for p in every)
        count = NODE if fleet.count < NODE else 2 * fleet.count
        while every and count <= MOST_ENLARGED and search.left > 0:
            if (best := _least(ask, replace(fleet, count=count), every, search)) is not None:
                scales.append(Scale(best.launch.gpus, best))
                break
            count *= 2
    return min(scales, key=lambda scale: spend(scale.trial), default=None), hopeless


def _least(ask: Ask, fleet: Fleet, every: list[Prospect], search: Search) -> Trial | None:
    """The cheapest on this many GPUs that the simulation confirms."""
    fits = [replace(p, fleet=fleet, most=most) for p in every if (most := most_replicas(p.engine, fleet))]
    hopeful = [p for p in (sized(ask, p, search.bounds) for p in fits) if p.hope == SURE]
    if not hopeful:
        return None
    met = [t for t in search.settle(min(hopeful, key=lambda p: p.spend)) if t.met == "yes"]
    return min(met, key=spend, default=None)
