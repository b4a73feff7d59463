"""``hbm_bound``: the weights leave no room for a batch. The pool holds a request or two, whatever the scheduler does.

Apart from starvation: a starved pool exists and is exhausted by a batch; here there is no batch. A pool that is small
because its size was typed is a choice, and a shortage of it is starvation.
"""

from functools import partial

from ...domain import Evidence
from ..thresholds import SEATS_FEW, SEATS_SOME, WEIGHTS_HEAVY
from .case import Case, note, sureness, tell
from .signals import Signals

__all__ = ["judge"]


def judge(s: Signals) -> Case:
    """Hold the case against the class."""
    arithmetic, gauges = _arithmetic(s), _gauges(s)
    confidence = 0.0 if arithmetic is not True else min(sureness(True, gauges, s.firm), s.contention)
    return Case("hbm_bound", confidence, partial(_evidence, s), partial(_against, s), "block allocation rate")


def _arithmetic(s: Signals) -> bool | None:
    """Few seats, and more requests than seats."""
    if s.s_kv is None:
        return None
    heavy = s.weights_share is None or s.weights_share >= WEIGHTS_HEAVY
    few = s.s_kv < SEATS_FEW or (s.s_kv < SEATS_SOME and heavy and s.weights_share is not None)
    return few and heavy and not s.pool_pinned and s.load is not None and s.load > max(1.0, s.s_kv)


def _gauges(s: Signals) -> bool | None:
    if s.pool_full is None:
        return None
    return bool(s.pool_full and (s.queue_seen or s.preempting)) or (False if not s.pool_full else None)


def _evidence(s: Signals) -> tuple[Evidence, ...]:
    basis = "measured pool" if s.pool_measured else "predicted pool"
    told = [
        note(
            "KV seats S_kv",
            tell(s.s_kv, "requests"),
            f"below {SEATS_FEW:g}",
            (s.s_kv or 9.0) < SEATS_SOME,
            "requests of this length that fit in the KV pool: ISL + 0.75 OSL tokens each",
            basis,
        )
    ]
    if s.weights_share is not None:
        told.append(
            note(
                "weights",
                f"{s.weights_share:.0%} of device memory",
                f"above {WEIGHTS_HEAVY:.0%}",
                s.weights_share >= WEIGHTS_HEAVY,
                "what the weights take, the KV pool cannot have",
                "memory model",
            )
        )
    if s.load is not None:
        told.append(
            note(
                "requests that want to run",
                tell(s.load),
                "more than S_kv",
                s.s_kv is not None and s.load > s.s_kv,
                "those beyond the seats wait for blocks",
                "concurrency",
            )
        )
    if s.kv is not None:
        told.append(
            note(
                "KV usage",
                f"{s.kv:.0%}",
                "full",
                bool(s.pool_full),
                "one or two requests fill the pool",
                s.source("kv_usage", "kv_usage"),
            )
        )
    return tuple(told)


def _against(s: Signals) -> str:
    if s.s_kv is None:
        return "no startup failure and no pool known to be too small"
    if s.load is not None and s.load <= max(1.0, s.s_kv):
        return f"the pool holds {tell(s.s_kv)} requests of this length, and only {tell(s.load)} want to run"
    if s.pool_pinned:
        return (
            "the pool's size was typed (--kv-cache-memory-bytes or --num-gpu-blocks-override): a small pool is "
            "not the weights' doing"
        )
    if s.weights_share is not None and s.weights_share < WEIGHTS_HEAVY and s.s_kv < SEATS_SOME:
        return f"the weights take {s.weights_share:.0%} of the device: there is room for a larger pool"
    return f"the pool holds {tell(s.s_kv)} requests of this length"
