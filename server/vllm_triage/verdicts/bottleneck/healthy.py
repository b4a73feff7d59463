"""A healthy server, and an idle one: nothing waits, streams are quick, first tokens come when prefill says they should.

High usage without a queue is heat, not harm. A low prefix-cache hit rate is a property of the traffic, not a fault.
"""

from functools import partial

from ...domain import Evidence, Roofline
from ...domain.verdict import MeasureNext
from ..thresholds import ITL_SLOW, QUEUE_HARM, TTFT_FINE
from .case import Case, note, tell
from .signals import Signals

__all__ = ["judge", "signals_shown"]

GAUGES, NO_GAUGES = 0.9, 0.75
"""Sureness with and without gauges that show an empty queue."""

TAIL_UNSEEN = 0.65
"""Sureness when one prompt in a step would stop every stream for a time users see, and P99 ITL is not given."""

PROMPT_MS = 500.0
"""TTFT below which, without a gauge, no queue worth the name can stand."""

CROWD = 0.5
"""Waiting over running, or requests without a token over all, from which a server is not called healthy."""


def judge(s: Signals, roof: Roofline) -> Case | None:
    """The healthy case, or None when something hurts or cannot be seen."""
    calm = s.queue_seen is False or not s.first_tokens_late
    quick = s.tpot is not None and not s.slow_stream and not s.below_floor
    prompt = not s.first_tokens_late or (s.ttft_typical or 0.0) <= TTFT_FINE
    if not (calm and quick and prompt) or s.preempting or (s.pool_full and s.queue_seen):
        return None
    if s.stalling or _crowded(s) or (s.ttft is None and s.ttft_tail is None):
        return None
    if s.queue_seen is None and not _surely_prompt(s):
        return None
    sure = NO_GAUGES if s.queue_seen is not False or s.skewed else GAUGES
    if s.tail_unknown and s.prompt_step is not None:
        sure = TAIL_UNSEEN
    sub = roof.decode_bound if roof.decode_bound != "overhead" else None
    measure: MeasureNext = "P99 ITL" if s.tail_unknown else "WAITING queue depth"
    return Case(None, sure, partial(signals_shown, s), str, measure, sub)


def _crowded(s: Signals) -> bool:
    """Requests stand in line, or have no token yet, in such numbers that a tolerable TTFT is luck, not health."""
    if s.ttft is None or s.ttft <= QUEUE_HARM or s.queue_seen is False:
        return False
    if s.waiting is not None and s.waiting - (s.deferred or 0.0) > CROWD * max(1.0, s.running or 0.0):
        return True
    late = s.before_first is not None and s.load is not None and s.before_first > CROWD * s.load
    return late and s.ttft > TTFT_FINE


def _surely_prompt(s: Signals) -> bool:
    """Without a gauge: first tokens so early, or so many requests decoding, that nothing can be waiting."""
    if s.skewed:
        return False
    return bool(s.all_decoding or (s.prefill_floor is not None and s.ttft_explained)) or (s.ttft or 0.0) <= PROMPT_MS


def signals_shown(s: Signals) -> tuple[Evidence, ...]:
    """The signals every reader looks at first, each against what a healthy server shows."""
    told: list[Evidence] = []
    if s.waiting is not None:
        quiet = s.queue_seen is False
        told.append(note("WAITING", tell(s.waiting), "0", quiet, "requests that stand in line", s.source("waiting")))
    if s.kv is not None:
        room, why = not s.pool_full, "heat without harm is no fault"
        told.append(note("KV usage", f"{s.kv:.1%}", "room for another prompt", room, why, s.source("kv_usage")))
    if s.preempting is not None:
        rate = "sustained" if s.preempting else "0"
        why = "a preempted request is computed again"
        told.append(note("preemption rate", rate, "0", not s.preempting, why, s.source("preemption_rate")))
    if s.all_decoding is not None:
        there, why = f"{tell(s.seated)} of {tell(s.load)}", "R by Little's law, with those in prefill"
        told.append(note("requests decoding", there, "most of them", s.all_decoding, why, "arithmetic"))
    if s.ttft is not None:
        why = f"prefill is expected to take {tell(s.prefill_expected, 'ms')}"
        source = s.source("ttft_ms_mean", s.source("ttft_ms_p50"))
        told.append(note("TTFT", tell(s.ttft, "ms"), "prefill and little else", not s.first_tokens_late, why, source))
    if s.tpot is not None:
        told.append(_stream(s, s.tpot))
    return tuple(told)


def _stream(s: Signals, tpot: float) -> Evidence:
    floor = "" if s.floor is None else f"; {tpot / s.floor:.1f} times the decode floor of {tell(s.floor, 'ms')}"
    why = "no user waits for the stream"
    if s.floor is not None:
        why = "at its floor a fast stream is healthy: decode is the next limit, not a fault"
    source = s.source("tpot_ms_mean", s.source("itl_ms_mean"))
    below = f"below {ITL_SLOW:g} ms"
    return note("time per output token", tell(tpot, "ms") + floor, below, not s.slow_stream, why, source)
