"""``queue_stall``: requests wait although the KV pool has room.

Either every scheduler seat is taken (``seats``: --max-num-seqs), or seats and blocks are free and the token budget of a
step admits no more prompts (``budget``). Requests set aside for a LoRA slot, a grammar or a KV transfer are counted as
deferred by vLLM and are not this class.
"""

from functools import partial

from ...domain import Evidence
from ...domain.verdict import SubBound
from ..thresholds import ALL_DECODING, AT_SEATS_HIGH, AT_SEATS_LOW, KV_FREE, QUEUE_HARM, SEATS_BEFORE_POOL
from .case import Case, note, sureness, tell
from .signals import Signals

__all__ = ["judge"]

UNNAMED_LIMIT = 0.70
"""Sureness when requests wait and every limit that is known has room."""

UNSURE_POOL = 0.60
"""Sureness when the seats are taken and a predicted pool may hold less: the cap is exact, the pool a guess."""

MOSTLY_WAITING = 0.6
"""Share of the requests in the system that have no token yet, from which waiting is what they mostly do (G11: 0.8)."""

COULD_FILL = 0.25
"""Offered load over max_num_seqs below which no cap of that order can be what requests wait for (G11: 0.5)."""

GAUGE_AT_SEATS = 0.95
"""Share of max_num_seqs from which the running gauge is at the cap: a finished request frees a seat for one step."""


def judge(s: Signals) -> Case:
    """Hold the case against the class."""
    seats = _at_seats(s)
    gauges = _gauges(s)
    sub: SubBound | None = "seats" if seats else None
    if seats or gauges is False:
        confidence = sureness(seats, gauges, s.firm)
        if seats and gauges is None and not _pool_surely_larger(s):
            confidence = UNSURE_POOL
    elif gauges:
        known = s.s_seq is not None and s.running is not None
        sub = "budget" if known and s.running is not None and s.s_seq and s.running < GAUGE_AT_SEATS * s.s_seq else None
        confidence = sureness(None, True, s.firm) - (0.1 if sub == "budget" else 0.0)
    else:
        confidence = UNNAMED_LIMIT if _waits_for_no_known_limit(s) else 0.0
    confidence = min(confidence, s.contention)  # prompts may be computed no faster with more seats
    why_not = partial(_against, s, gauges, seats)
    return Case("queue_stall", confidence, partial(_evidence, s, seats), why_not, "WAITING queue depth", sub)


def _at_seats(s: Signals) -> bool | None:
    """True when running requests take all scheduler seats, and more want to run."""
    if s.s_seq is None:
        return None
    if s.running is not None and s.waiting is not None:
        full = s.running >= GAUGE_AT_SEATS * s.s_seq and bool(s.queue_seen)
        return full and s.ttft is not None and s.ttft > QUEUE_HARM
    if s.seated is None or s.load is None or s.r is None:
        return None
    if s.s_kv is not None and (s.s_kv_high or s.s_kv) <= SEATS_BEFORE_POOL * s.s_seq:
        return None if s.s_kv >= s.s_seq else False
    taken = s.seated / s.s_seq >= AT_SEATS_LOW and s.r / s.s_seq <= AT_SEATS_HIGH
    return taken and s.load > AT_SEATS_HIGH * s.s_seq and s.may_wait


def _pool_surely_larger(s: Signals) -> bool:
    """True when even the low end of a predicted pool holds more than the seats."""
    low = s.s_kv if s.s_kv_low is None else s.s_kv_low
    return s.s_seq is not None and low is not None and low > SEATS_BEFORE_POOL * s.s_seq


def _gauges(s: Signals) -> bool | None:
    """True: requests wait and the pool has room. False: none wait, or the pool is what they wait for."""
    if s.queue_seen is False or s.pool_full or s.preempting:
        return False
    if not s.first_tokens_late and not _at_seats(s):
        return False
    roomy = s.pool_full is False or (s.pool_full is None and s.kv is not None and _at_seats(s))
    return True if s.queue_seen and roomy else None


def _waits_for_no_known_limit(s: Signals) -> bool:
    """TTFT far beyond prefill while streams run at their floor and neither pool nor compute is near its limit."""
    if (
        not s.first_tokens_late
        or s.ttft_explained is not False
        or s.all_decoding is not False
        or s.load is None
        or s.seated is None
    ):
        return False
    if s.before_first is None or s.n is None or s.before_first < MOSTLY_WAITING * s.n:
        return False
    if s.s_seq is not None and s.load < COULD_FILL * s.s_seq:
        return False
    pool_free = s.s_kv is not None and s.seated < 0.7 * s.s_kv
    fast = s.floor is not None and s.tpot is not None and s.tpot <= s.band.high * s.floor
    return pool_free and fast and (s.prefill_load or 0.0) < s.prefill_limit and not s.slow_stream


def _evidence(s: Signals, seats: bool | None) -> tuple[Evidence, ...]:
    told: list[Evidence] = []
    if s.s_seq is not None and (s.running is not None or s.r is not None):
        shown = (
            f"{tell(s.running)} running" if s.running is not None else f"R {tell(s.r)} ({tell(s.seated)} with prefill)"
        )
        told.append(
            note(
                "running against scheduler seats",
                f"{shown}, max_num_seqs {s.s_seq}",
                f"{AT_SEATS_LOW:g} to {AT_SEATS_HIGH:g} of the seats",
                bool(seats),
                f"R = {s.r_from}; no more than max_num_seqs ever run",
                s.source("running", "arithmetic"),
            )
        )
    if s.s_kv is not None and s.s_seq is not None:
        told.append(
            note(
                "KV seats against scheduler seats",
                f"{tell(s.s_kv)} and {s.s_seq}",
                f"pool {SEATS_BEFORE_POOL:g} times larger or more",
                s.s_kv > SEATS_BEFORE_POOL * s.s_seq,
                "the pool would hold more than the scheduler may run",
                "measured pool" if s.pool_measured else "predicted pool",
            )
        )
    if s.waiting is not None:
        told.append(
            note(
                "WAITING",
                tell(s.waiting),
                "above 0",
                bool(s.queue_seen),
                "requests stand in line",
                s.source("waiting", "waiting"),
            )
        )
    if s.kv is not None:
        told.append(
            note(
                "KV usage",
                f"{s.kv:.1%}",
                f"below {KV_FREE:.0%}",
                not s.pool_full,
                "blocks are free while requests wait",
                s.source("kv_usage", "kv_usage"),
            )
        )
    if s.ttft is not None:
        told.append(
            note(
                "TTFT",
                tell(s.ttft, "ms"),
                f"far above prefill ({tell(s.prefill_expected, 'ms')})",
                s.ttft_explained is False or bool(s.queue_seen),
                "time in the queue counts into TTFT",
                s.source("ttft_ms_mean", "ttft"),
            )
        )
    if s.all_decoding is not None and s.waiting is None:
        told.append(
            note(
                "requests decoding",
                f"{tell(s.seated)} of {tell(s.load)}",
                f"below {ALL_DECODING:.0%}",
                not s.all_decoding,
                "the others have no token yet",
                "Little's law",
            )
        )
    return tuple(told)


def _against(s: Signals, gauges: bool | None, seats: bool | None) -> str:
    if s.queue_seen is False:
        return "nothing waits"
    if not s.first_tokens_late:
        return f"TTFT is {tell(s.ttft, 'ms')}: a queue that short harms nobody"
    if s.pool_full or s.preempting:
        return "requests wait for KV blocks: the queue is the symptom, not the cause"
    if s.all_decoding:
        return f"{tell(s.seated)} of {tell(s.load)} requests are decoding: there is no queue"
    if s.s_kv is not None and s.s_seq is not None and s.s_kv < s.s_seq:
        return f"the pool ({tell(s.s_kv)} seats) runs out before max_num_seqs ({s.s_seq})"
    if s.s_seq is not None and s.seated is not None and gauges is None and seats is False:
        return f"{tell(s.seated)} of {s.s_seq} scheduler seats are taken"
    return "no queue is shown"
