"""Over which load a change helps, and over which it hurts."""

from dataclasses import dataclass
from itertools import pairwise

from ...domain import Deployment, MemoryBudget, Noun, Prediction, Workload
from ...domain.base import Words
from ...engine.cost import CostModel
from ...engine.simulation import predict
from .figures import METRICS, difference, gain, is_loop
from .ground import Ground, Progress
from .trial import Trial

__all__ = ["BreakEven", "LoadPoint", "Sweep"]

METRICS_SWEPT = ("ttft_ms_mean", "tpot_ms_mean", "output_tok_s")
CLOSED_LOADS = (0.125, 0.25, 0.5, 2.0)
OPEN_LOADS = (0.25, 0.5, 0.75, 1.25)
"""Loads tried beside the one given, as multiples of it."""

MOST_HALVINGS = 3
"""Loads tried besides, each in the middle of a stretch in which an effect turns."""

LEAST_REQUESTS = 64
"""Fewest requests of one run of the sweep."""

MOST_USERS = 512
"""Largest concurrency tried: a run needs two rounds of all users before it shows how they queue."""


class LoadPoint(Noun):
    """One load, and the ratios (after over before) there."""

    load: float
    """Users, or requests per second."""
    ttft: float
    tpot: float
    throughput: float


class BreakEven(Noun):
    """Where the effect of a change turns."""

    unit: str
    points: tuple[LoadPoint, ...]
    words: Words
    """One sentence for each figure whose effect is not the same over all loads tried."""


@dataclass(frozen=True, slots=True)
class _Tried:
    load: float
    ratios: dict[str, float]
    signs: dict[str, int]
    """1 helps, -1 hurts, 0 neither, by metric."""


class Sweep:
    """Follows changes of one launch over a range of loads. The launch as it is is simulated once at each load."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._before: dict[float, Prediction] = {}

    @property
    def possible(self) -> bool:
        """False for traffic that has no load to vary (a trace, all at once)."""
        return self._ground.workload.arrivals in ("closed", "open")

    def follow(self, trial: Trial, progress: Progress | None = None) -> BreakEven | None:
        """The effect of one change by load; None where it was not simulated or there is no load to vary."""
        workload, cost = self._ground.workload, trial.cost
        if not self.possible or trial.prediction is None or cost is None:
            return None
        now, loads = _given(workload), _loads(workload)
        tried = [_tried(now, self._ground.prediction, trial.prediction, cost, looped=is_loop(workload))]
        most = len(loads) + MOST_HALVINGS
        for load in loads:
            tried.append(self._at(load, trial, cost))
            _tell(progress, len(tried), most)
        for _ in range(MOST_HALVINGS):
            tried.sort(key=lambda t: t.load)
            middle = _next(workload, tried)
            if middle is None:
                break
            tried.append(self._at(middle, trial, cost))
            _tell(progress, len(tried), most)
        tried.sort(key=lambda t: t.load)
        unit = "users" if workload.arrivals == "closed" else "requests/s"
        said = [words for name in METRICS_SWEPT if (words := _words(name, tried, unit))]
        return BreakEven(unit=unit, words=tuple(said), points=tuple(_point(t) for t in tried))

    def _at(self, load: float, trial: Trial, cost: CostModel) -> _Tried:
        ground = self._ground
        if load not in self._before:
            self._before[load] = self._run(ground.deployment, ground.memory, load, ground.cost)
        after = self._run(trial.deployment, trial.memory, load, cost)
        return _tried(load, self._before[load], after, cost, looped=is_loop(_with_load(ground.workload, load)))

    def _run(self, deployment: Deployment, memory: MemoryBudget, load: float, cost: CostModel) -> Prediction:
        traffic = _with_load(self._ground.workload, load)
        length = self._ground.acceptance_length
        return predict(deployment, memory, traffic, cost=cost, at_most=_requests(traffic), acceptance_length=length)


def _tell(progress: Progress | None, done: int, of: int) -> None:
    if progress is not None:
        progress(min(1.0, (done - 1) / of))


def _tried(load: float, before: Prediction, after: Prediction, cost: CostModel, *, looped: bool) -> _Tried:
    found = {name: difference(name, before, after, cost.bands, looped=looped) for name in METRICS_SWEPT}
    ratios = {name: d.ratio.mid if d.ratio is not None else 1.0 for name, d in found.items()}
    return _Tried(load, ratios, {name: _sign(gain(name, d)) for name, d in found.items()})


def _given(workload: Workload) -> float:
    return float(workload.concurrency or 1) if workload.arrivals == "closed" else workload.request_rate or 1.0


def _loads(workload: Workload) -> list[float]:
    now = _given(workload)
    if workload.arrivals == "open":
        return [now * share for share in OPEN_LOADS]
    users = (float(max(1, round(now * share))) for share in CLOSED_LOADS)
    return [load for load in dict.fromkeys(users) if load != now and load <= MOST_USERS]


def _with_load(workload: Workload, load: float) -> Workload:
    if workload.arrivals == "open":
        return workload.but(request_rate=load, requests=None)
    return workload.but(concurrency=int(load), requests=None)


def _requests(workload: Workload) -> int:
    """Enough for the effect to show at this load."""
    return max(LEAST_REQUESTS, 2 * (workload.concurrency or 2 * LEAST_REQUESTS))


def _next(workload: Workload, tried: list[_Tried]) -> float | None:
    """The middle of the widest stretch in which an effect changes its sign; None where all are narrow."""
    wide = [(high.load / low.load, low.load, high.load) for low, high in pairwise(tried) if low.signs != high.signs]
    ratio, low, high = max(wide, default=(1.0, 1.0, 1.0))
    middle = (low * high) ** 0.5
    if workload.arrivals == "closed":
        middle = float(round(middle))
    return None if ratio < 1.3 or middle in (low, high) else middle


TURNED = 0.05
"""A gain or loss below this is none: runs of the sweep are short."""


def _sign(gained: float) -> int:
    return 0 if abs(gained) <= TURNED else 1 if gained > 0 else -1


def _smoothed(signs: list[int]) -> list[int]:
    """Signs by load, one that differs from both its neighbours, which agree, taken for noise."""
    calm = list(signs)
    for place in range(1, len(signs) - 1):
        if calm[place - 1] == signs[place + 1]:
            calm[place] = calm[place - 1]
    return calm


_DOES = {1: "it helps", -1: "it hurts", 0: "it makes no difference"}


def _words(metric: str, tried: list[_Tried], unit: str) -> str:
    """``TTFT: up to about 12 users it helps, from about 16 it hurts``; empty where the effect is the same at every load."""
    stretches: list[tuple[int, float, float]] = []
    signs = _smoothed([one.signs[metric] for one in tried])
    for number, (one, sign) in enumerate(zip(tried, signs, strict=True)):
        passing = sign == 0 and 0 < number < len(tried) - 1 and signs[number + 1] != 0
        if passing and stretches and stretches[-1][0] != 0:
            continue  # on its way from one effect to the other
        if stretches and stretches[-1][0] == sign:
            stretches[-1] = (sign, stretches[-1][1], one.load)
        else:
            stretches.append((sign, one.load, one.load))
    if len(stretches) < 2:
        return ""
    parts = []
    for number, (sign, first, last) in enumerate(stretches):
        where = (
            f"up to about {_shown(last)} {unit}" if number == 0
            else f"from about {_shown(first)}" if number == len(stretches) - 1
            else f"at about {_shown(first)}" if first == last
            else f"between {_shown(first)} and {_shown(last)}"
        )  # fmt: skip
        parts.append(f"{where} {_DOES[sign]}")
    return f"{METRICS[metric].words}: {', '.join(parts)}"


def _shown(load: float) -> str:
    return f"{load:,.0f}" if load >= 10 or load == int(load) else f"{load:.2g}"


def _point(tried: _Tried) -> LoadPoint:
    ttft, tpot, throughput = (round(tried.ratios[name], 3) for name in METRICS_SWEPT)
    return LoadPoint(load=round(tried.load, 3), ttft=ttft, tpot=tpot, throughput=throughput)
