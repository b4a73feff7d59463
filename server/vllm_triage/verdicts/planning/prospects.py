"""Every configuration that fits, with its steady state: found by arithmetic alone, before anything is simulated."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import ceil

from ...domain import Deployment, Json
from ...engine.cost import CostModel, cost_model
from ...engine.machine import whole
from ..advice.knobs.memory import SAFE_UTILIZATION
from .demand import Demand
from .fleet import Fleet
from .launches import Launch, Refused, launch
from .layouts import Engine, engines, laid_out, most_replicas
from .outlook import Outlook, crowding, look, meets, rough
from .targets import Target, bound_waiting
from .variants import Variant, variants_of

__all__ = ["Ask", "Bounds", "Prospect", "prospects", "sized", "with_replicas"]

LENGTH_ROOM = 1.25
"""The longest request and a quarter: chat templates, tools and a longer question than last time."""

LENGTH_STEP = 1024
SEAT_ROOM = 1.5
SEAT_STEP = 16

Bounds = Mapping[str, float]
"""By metric: the conservative end of a simulated figure over the rough one."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a plan is made for."""

    base: Deployment
    config: Mapping[str, Json] | None
    demand: Demand
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Prospect:
    """An engine that fits, and how many of it the targets ask for by the steady state."""

    fleet: Fleet
    variant: Variant
    engine: Engine
    single: Launch = field(hash=False)
    """One replica, as it would be launched alone."""
    cost: CostModel = field(hash=False)
    most: int
    """Replicas the GPUs hold."""
    replicas: int
    """Fewest that meet the targets by the conservative figures, else by the middle ones, else all there are."""
    hope: int
    """2 the conservative figures meet the targets, 1 the middle ones do, 0 neither."""
    outlook: Outlook
    short: float
    """The worst target's rough figure over its limit (for a rate the other way round), or users over those who run."""

    @property
    def gpus(self) -> int:
        """GPUs of all replicas."""
        return self.engine.gpus * self.replicas

    @property
    def spend(self) -> float:
        """What an hour costs: a price where there is one, else the number of GPUs."""
        return self.gpus * (1.0 if self.fleet.price is None else self.fleet.price)


def prospects(ask: Ask, fleet: Fleet) -> tuple[list[Prospect], list[Refused]]:
    """What fits on one kind of GPU, and what does not start or fit, with why.

    Raises:
        CannotPredict: no step time is known for the device or the model.
    """
    model = ask.base.model
    found: list[Prospect] = []
    refused: list[Refused] = []
    if model is None:
        return found, refused
    for variant in variants_of(ask.base, fleet.gpu, ask.config):
        fits = 0
        for engine in engines(model, fleet, ask.base.version):
            if engine.spans and fits:
                continue  # what one machine holds is not spread over several
            for outcome in _tried(ask, fleet, variant, engine):
                if isinstance(outcome, Refused):
                    refused.append(outcome)
                else:
                    fits += 1
                    found.append(outcome)
    return found, refused


def _tried(ask: Ask, fleet: Fleet, variant: Variant, engine: Engine) -> Iterator[Prospect | Refused]:
    """The engine, and beside it or in its place the one whose experts stay whole where ranks would split them badly."""
    single = _single(ask, fleet, variant, engine)
    model = ask.base.model
    if model is None or model.moe is None or engine.tp == 1 or engine.experts or not _splits_experts(single):
        yield _prospect(ask, engine, single) if isinstance(single, Launch) else single
        return
    apart = Engine(engine.tp, engine.pp, engine.dp, experts=True, spans=engine.spans)
    other = _single(ask, fleet, variant, apart)
    if isinstance(other, Launch):
        yield _prospect(ask, apart, other)
    else:
        yield _prospect(ask, engine, single) if isinstance(single, Launch) else single


def _splits_experts(single: Launch | Refused) -> bool:
    """True when a rule names ``--enable-expert-parallel`` as the way out."""
    if isinstance(single, Refused):
        return single.rule.startswith("experts-split")
    return any(finding.rule.startswith("experts-split") for finding in single.report.findings)


def _single(ask: Ask, fleet: Fleet, variant: Variant, engine: Engine) -> Launch | Refused:
    model = ask.base.model
    assert model is not None  # noqa: S101 - callers have looked
    layout = laid_out(engine, 1, fleet, model, ask.base.version)
    tuned: dict[str, Json] = {"max_model_len": _length(ask)}
    found = launch(ask.base, fleet, variant, layout, tuned)
    if isinstance(found, Launch) or not found.nearly or fleet.gpu.unified_memory:
        return found
    if {"gpu_memory_utilization", "kv_cache_memory_bytes"} & ask.base.args.keys():
        return found  # the user's own word on memory
    wider = launch(ask.base, fleet, variant, layout, {**tuned, "gpu_memory_utilization": SAFE_UTILIZATION})
    return wider if isinstance(wider, Launch) else found


def _length(ask: Ask) -> int:
    """What the traffic needs and some room, within what the model holds; a length the user gave is kept."""
    given = ask.base.args.get("max_model_len")
    if isinstance(given, int) and given >= ask.demand.longest:
        return given
    wanted = ceil(ask.demand.longest * LENGTH_ROOM / LENGTH_STEP) * LENGTH_STEP
    limit = None if ask.base.model is None else ask.base.model.derived_max_model_len
    return wanted if limit is None else max(ask.demand.longest, min(wanted, limit))


def _prospect(ask: Ask, engine: Engine, single: Launch) -> Prospect:
    cost = cost_model(single.deployment, single.memory)
    most = most_replicas(engine, single.fleet)
    outlook = look(single, cost, ask.demand, most * engine.dp)
    return sized(ask, Prospect(single.fleet, single.variant, engine, single, cost, most, most, 0, outlook, 0.0))


def _first_bounds(cost: CostModel, targets: tuple[Target, ...]) -> Bounds:
    """The cost model's own bands, for what was not simulated yet."""
    bands = cost.bands
    high = {"ttft": bands.ttft[1], "itl": bands.itl[1], "tpot": bands.tpot[1], "e2e": bands.tpot[1]}
    return {
        t.metric: bands.throughput[0] if t.rate else high[t.metric.partition("_")[0]] for t in targets
    }  # fmt: skip


def sized(ask: Ask, prospect: Prospect, bounds: Bounds | None = None) -> Prospect:
    """The prospect with the fewest replicas that meet the targets under these bounds, or the cost model's own."""
    each = prospect.engine.dp
    bounds = {**_first_bounds(prospect.cost, ask.targets), **(bounds or {})}

    def enough(scale: Bounds) -> Callable[[int], bool]:
        return lambda n: meets(
            look(prospect.single, prospect.cost, ask.demand, n * each), ask.demand, ask.targets, n * each, scale
        )

    sure, likely = _fewest(enough(bounds), prospect.most), _fewest(enough({}), prospect.most)
    replicas = sure or likely or prospect.most
    outlook = look(prospect.single, prospect.cost, ask.demand, replicas * each)
    figures = ((t, max(1e-9, rough(outlook, ask.demand, t, replicas * each))) for t in ask.targets)
    short = max((t.limit / value if t.rate else value / t.limit for t, value in figures), default=0.0)
    if not bound_waiting(ask.targets):
        short = max(short, crowding(outlook, ask.demand, replicas * each))
    hope = 2 if sure else 1 if likely else 0
    return replace(prospect, replicas=replicas, hope=hope, outlook=outlook, short=short)


def _fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """The fewest replicas that are enough; None when all are not. More are never worse."""
    if most < 1 or not enough(most):
        return None
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return low


def with_replicas(ask: Ask, prospect: Prospect, replicas: int, **tuned: Json) -> Launch | Refused:
    """The launch of so many replicas, with seats for those who meet in each."""
    model = ask.base.model
    assert model is not None  # noqa: S101 - there is no prospect without a model
    layout = laid_out(prospect.engine, replicas, prospect.fleet, model, ask.base.version)
    changes: dict[str, Json] = {**prospect.single.tuned, **_seats(ask, prospect, replicas), **tuned}
    return launch(ask.base, prospect.fleet, prospect.variant, layout, changes)


def _seats(ask: Ask, prospect: Prospect, replicas: int) -> dict[str, Json]:
    """--max-num-seqs where the version's own is too few for the users that meet in one engine, and a budget to hold them."""
    engine = prospect.engine.dp  # data-parallel ranks of one engine each have their own seats
    if ask.demand.users is not None:
        wanted = ask.demand.users / replicas / engine
    else:
        wanted = SEAT_ROOM * look(prospect.single, prospect.cost, ask.demand, replicas * engine).running
    wanted = min(wanted, prospect.outlook.seats)
    have = whole(prospect.single.deployment.setting("max_num_seqs"), 256)
    if wanted <= have:
        return {}
    seats = ceil(wanted / SEAT_STEP) * SEAT_STEP
    budget = whole(prospect.single.deployment.setting("max_num_batched_tokens"), 2048)
    room = {} if seats <= budget else {"max_num_batched_tokens": 1 << (seats - 1).bit_length()}
    return {"max_num_seqs": seats, **room}
