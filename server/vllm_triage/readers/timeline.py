"""Which scrapes are of one server, in what order, and how long the first lies before the last."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from ..domain import Conflict
from .histogram import Histogram
from .reading import Partial, excerpt
from .server_view import COUNTED, View

__all__ = ["Interval", "difference", "timeline"]

STEADY = 1.5
"""Largest ratio of the two ends' running gauges at which the time between two undated scrapes is still derived."""

IMPOSSIBLE = 10.0
"""Sequences decoding by Little's law over those the gauges show, from which the counters are of other times."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The scrapes of one process, first to last, and how long they span (seconds, None when nothing tells)."""

    views: tuple[View, ...]
    seconds: float | None
    derived: bool = False

    @property
    def first(self) -> View:
        return self.views[0]

    @property
    def last(self) -> View:
        return self.views[-1]


def timeline(views: Sequence[View], part: Partial, stated: float | None = None) -> Interval:
    """Order the scrapes of the one server that is read; what is left out is listed in `part`.

    `stated` is the time between the first and the last, in seconds, when the user said it.
    """
    ordered = _in_order(_same_engines(_one_model(_merged(list(views)), part), part))
    run = _interval(_one_process(ordered, part), stated)
    if _impossible(run):
        part.conflicts.append(
            Conflict(
                what="the scrapes do not lie so near each other, or a restart lies between them: no rate was taken",
                values=(f"{run.seconds:.4g} s apart", f"{run.last.running:.4g} running, {_decoding(run):.4g} would have to decode"),
            )
        )
        return Interval(run.views[-1:], None)
    return run


def _same_engines(views: list[View], part: Partial) -> list[View]:
    """Keep the scrapes that show the same engines: a sum over two is no later state of a sum over one."""
    groups: dict[frozenset[str], list[View]] = {}
    for view in views:
        groups.setdefault(frozenset(view.owners), []).append(view)
    if len(groups) < 2:
        return views
    kept = max(groups.values(), key=lambda group: (len(group), len(group[0].owners), group[0].load))
    part.unread.append(
        f"metrics: {len(views) - len(kept)} scrape(s) show other engines than the rest and were not compared with them"
    )
    return kept


def _decoding(run: Interval) -> float:
    """Sequences that decoded on average, by Little's law: the time between tokens that passed, over the time that did."""
    passed = difference(run.first, run.last, "inter_token_latency_seconds").total
    return passed / run.seconds if run.seconds else 0.0


def _impossible(run: Interval) -> bool:
    """True when far more would have decoded than either end shows running."""
    running = max(run.first.running, run.last.running)
    return not run.derived and running > 0 and _decoding(run) > IMPOSSIBLE * running


def _merged(views: list[View]) -> list[View]:
    """Join the scrapes of different engines or replicas, told by their labels, into those of one server.

    Engines are scraped one after the other, so their scrapes are paired by rank and not by time.
    """
    by_owner: dict[frozenset[str], list[View]] = {}
    for view in views:
        by_owner.setdefault(frozenset(view.owners), []).append(view)
    owners = [name for group in by_owner for name in group]
    if len(by_owner) < 2 or len(owners) > len(set(owners)) or len({view.model for view in views}) > 1:
        return views
    groups = [_in_order(group) for _, group in sorted(by_owner.items(), key=lambda item: sorted(item[0]))]
    rounds = min(len(group) for group in groups)
    return [reduce(View.joined, rank) for rank in zip(*(group[-rounds:] for group in groups), strict=True)]


def _one_model(views: list[View], part: Partial) -> list[View]:
    """Keep the model that is busiest: a diagnosis is of one deployment."""
    by_model: dict[str | None, list[View]] = {}
    for view in views:
        by_model.setdefault(view.model, []).append(view)
    others = {name for view in views for name in view.other_models}
    if len(by_model) > 1:
        best = max(
            by_model, key=lambda m: (max(v.load for v in by_model[m]), max(v.progress for v in by_model[m]), m or "")
        )
        others |= {name for name in by_model if name is not None and name != best}
        views = by_model[best]
    for name in sorted(others):
        part.unread.append(
            excerpt(f"metrics: model {name} is in the scrape too; the busiest, {views[0].model}, was read")
        )
    return views


def _in_order(views: list[View]) -> list[View]:
    """Oldest first, without repeats."""
    if all(view.time is not None for view in views):
        views = sorted(views, key=lambda v: (v.time or 0.0, v.progress))
    else:
        views = sorted(views, key=lambda v: (v.start or 0.0, v.progress, v.load))
    out: list[View] = []
    for view in views:
        if not any(view.same_as(kept) for kept in out):
            out.append(view)
    return out


def _one_process(views: list[View], part: Partial) -> tuple[View, ...]:
    """The scrapes after the last restart."""
    start = 0
    for index, (before, after) in enumerate(pairwise(views), start=1):
        fallen = [name for name in COUNTED if after.total(name) < before.total(name) - 1e-6]
        other_process = None not in (before.start, after.start) and before.start != after.start
        if not fallen and not other_process:
            continue
        start = index
        if before.time is None and fallen and not other_process:
            part.conflicts.append(
                Conflict(
                    what="scrapes are not of one server over time",
                    values=(f"vllm:{fallen[0]}: {before.total(fallen[0]):.6g}", f"then {after.total(fallen[0]):.6g}"),
                )
            )
        else:
            what = f"vllm:{fallen[0]} fell" if fallen else "process_start_time_seconds differs"
            part.unread.append(
                f"metrics: two processes, by a restart or of two replicas ({what}); only the later one is read"
            )
    return tuple(views[start:])


def _interval(views: tuple[View, ...], stated: float | None) -> Interval:
    first, last = views[0], views[-1]
    if len(views) == 1:
        return Interval(views, None)
    if first.time is not None and last.time is not None and last.time > first.time:
        return Interval(views, last.time - first.time)
    if stated is not None and stated > 0:
        return Interval(views, stated)
    low, high = sorted((first.running, last.running))
    busy = difference(first, last, "inter_token_latency_seconds").total
    busy += max(difference(first, last, "request_prefill_time_seconds").total, 0.0)
    if low > 0 and high <= STEADY * low and busy > 0:
        return Interval(views, busy / ((low + high) / 2), derived=True)
    return Interval(views, None)


def difference(first: View, last: View, name: str) -> Histogram:
    return last.histogram(name).since(first.histogram(name))
