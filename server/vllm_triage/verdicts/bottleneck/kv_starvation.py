"""``kv_starvation``: a pool of useful size exists, and admitted or waiting requests exhaust it.

The arithmetic: as many requests are seated as the pool holds, and it holds fewer than the scheduler or the client would
run. The gauges: usage at its ceiling while requests wait, or preemptions. High usage alone is heat, not harm.
"""

from functools import partial

from ...domain import Evidence
from ..thresholds import AT_POOL_HIGH, AT_POOL_LOW, KV_FREE, KV_FULL, POOL_BEFORE_SEATS, POOL_ROOMY, SEATS_FEW
from .case import GAUGES, Case, note, sureness, tell
from .signals import Signals

__all__ = ["judge"]


def judge(s: Signals) -> Case:
    """Hold the case against the class."""
    arithmetic, gauges = _arithmetic(s), _gauges(s)
    sure = sureness(arithmetic, gauges, s.firm)
    if arithmetic is False and gauges and s.pool_full and s.queue_seen and (s.preempting or s.preempted_ever):
        sure = GAUGES  # usage, queue and preemptions agree: lengths vary more than their mean says
    return Case("kv_starvation", min(sure, s.contention), partial(_evidence, s), partial(_against, s, gauges), "block allocation rate")


def _limit(s: Signals) -> float | None:
    """What would run at once if the pool were endless: the scheduler's seats or the offered load."""
    limits = [float(x) for x in (s.s_seq, s.load) if x is not None]
    return min(limits) if limits else None


def _arithmetic(s: Signals) -> bool | None:
    limit = _limit(s)
    if s.s_kv is None or limit is None:
        return None
    if s.s_kv > POOL_ROOMY * limit:
        return False
    if s.s_kv < SEATS_FEW and not s.pool_pinned:
        return None  # hbm_bound answers for a pool without a batch
    if s.seated is None:
        # What wants to run does not fit, and cannot all have run at once.
        return True if s.s_kv < POOL_BEFORE_SEATS * limit and (s.first_tokens_late or s.preempted_ever) else None
    smallest, largest = s.s_kv_low or s.s_kv, s.s_kv_high or s.s_kv
    low, high = AT_POOL_LOW * smallest, AT_POOL_HIGH * largest
    if low <= s.seated <= high and largest < POOL_BEFORE_SEATS * limit:
        return True if s.may_wait or s.queue_seen else None
    return False if s.seated < low and s.r_from.startswith("output") else None


def _gauges(s: Signals) -> bool | None:
    if s.preempting:
        return True
    if s.pool_full is None:
        return None
    if not s.pool_full:
        return False
    if s.queue_seen or s.preempted_ever:
        return True
    return None if s.queue_seen is None else False


def _evidence(s: Signals) -> tuple[Evidence, ...]:
    told: list[Evidence] = []
    limit = _limit(s)
    if s.seated is not None and s.s_kv:
        low, high = AT_POOL_LOW * (s.s_kv_low or s.s_kv), AT_POOL_HIGH * (s.s_kv_high or s.s_kv)
        told.append(
            note(
                "R against KV seats",
                f"R {tell(s.r)} ({tell(s.seated)} with prefill), S_kv {tell(s.s_kv)}",
                f"{tell(low)} to {tell(high)}",
                low <= s.seated <= high,
                f"R = {s.r_from}; seats are pool tokens / (ISL + 0.75 OSL)",
                "arithmetic, " + ("measured pool" if s.pool_measured else "predicted pool"),
            )
        )
    if s.s_kv is not None and limit is not None:
        told.append(
            note(
                "KV seats against the other limits",
                f"{tell(s.s_kv)} of {tell(limit)}",
                f"below {POOL_BEFORE_SEATS:g} of them",
                s.s_kv < POOL_BEFORE_SEATS * limit,
                "the pool runs out before the scheduler's seats and the offered load do",
                "max_num_seqs and concurrency",
            )
        )
    if s.kv is not None:
        told.append(
            note(
                "KV usage",
                f"{s.kv:.1%}",
                f"{KV_FULL:.0%} or more, or no room for a prompt",
                bool(s.pool_full),
                "blocks in use; cached but unreferenced blocks do not count",
                s.source("kv_usage", "kv_usage"),
            )
        )
    if s.waiting is not None:
        told.append(
            note(
                "WAITING",
                tell(s.waiting),
                "above 0",
                bool(s.queue_seen),
                "requests that find no blocks wait",
                s.source("waiting", "waiting"),
            )
        )
    if s.preempting is not None:
        told.append(
            note(
                "preemption rate",
                "sustained" if s.preempting else "0",
                "above 0",
                s.preempting,
                "V1 preempts by recompute: what a victim had computed is done again",
                s.source("preemption_rate", "two scrapes"),
            )
        )
    elif s.preempted_ever:
        told.append(
            note(
                "preemptions, lifetime",
                "above 0",
                "above 0",
                True,
                "a lifetime counter: it happened, perhaps not now",
                s.source("preemptions_total", "counter"),
            )
        )
    return tuple(told)


def _against(s: Signals, gauges: bool | None) -> str:
    limit = _limit(s)
    if gauges is False and s.kv is not None:
        if s.kv >= KV_FREE:
            return f"KV usage {s.kv:.0%}, but nothing waits and nothing is preempted"
        return f"KV usage is {s.kv:.1%}, and a prompt still fits"
    if s.s_kv is not None and limit is not None and s.s_kv > POOL_ROOMY * limit:
        return f"the pool holds {tell(s.s_kv)} requests of this length, {tell(limit)} can run at most"
    if s.s_kv is not None and s.seated is not None and s.seated < AT_POOL_LOW * s.s_kv:
        return f"only {tell(s.seated)} of {tell(s.s_kv)} KV seats are taken"
    if s.s_kv is None and s.kv is None:
        return "neither pool nor KV usage is known: not shown"
    return "nothing shows the pool to be exhausted"
