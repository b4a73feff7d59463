"""``decode_bound``: streams crawl although nothing waits: the decode step itself is the limit.

The floor says which part: reading weights (bandwidth), arithmetic (compute), reading KV cache (kv_reads). Far above the
floor it is overhead: kernel launches, eager mode, a throttled clock, the link, the host. A fast server at its floor is
healthy: decode is then the next limit, not a fault.
"""

from functools import partial
from typing import cast

from ...domain import Evidence, Roofline
from ...domain.verdict import SubBound
from ..thresholds import ALL_DECODING, DECODE_STAY, ITL_BATCH_ONE_FAR, ITL_SLOW, SMALL_BATCH
from .case import Case, note, tell
from .signals import Signals

__all__ = ["far_above_floor", "judge"]

GAUGES_AND_FLOOR, ONE_GROUND, NO_FLOOR = 0.88, 0.75, 0.65
"""Sureness: gauges show no queue and the floor is known; one of the two; gauges or Little's law alone."""

NOTICED_MS = 5.0
"""On a quick stream, ms above the band from which overhead is worth a verdict: below it, it is launch jitter."""

MOSTLY_DECODE = 0.6
"""Sureness when first tokens come late but nearly all of the stay is decode."""


def judge(s: Signals, roof: Roofline) -> Case:
    """Hold the case against the class."""
    quiet = _quiet(s)
    harm = s.slow_stream or far_above_floor(s)
    confidence = 0.0
    if quiet and harm and not s.stalling:
        confidence = ONE_GROUND if s.floor is not None or s.queue_seen is False else NO_FLOOR
        if s.floor is not None and s.queue_seen is False and s.itl_p99 is not None:
            confidence = GAUGES_AND_FLOOR
    elif harm and _mostly_decode(s) and not s.stalling:
        confidence = MOSTLY_DECODE
    confidence = min(confidence, s.contention)
    sub = cast("SubBound | None", "overhead" if far_above_floor(s) else roof.decode_bound)
    return Case("decode_bound", confidence, partial(_evidence, s, roof), partial(_against, s, quiet), "P99 ITL", sub)


def _quiet(s: Signals) -> bool:
    """Nothing queues: gauges say so, or first tokens come on time."""
    if s.preempting or (s.pool_full and s.queue_seen):
        return False
    if s.queue_seen is not None:
        return not s.queue_seen
    return not s.first_tokens_late


def _mostly_decode(s: Signals) -> bool:
    """A burst came late to its first tokens, but most of the stay is decode, and no limit on admission is near."""
    if s.queue_seen is not None or s.preempting or s.pool_full or s.seated is None or s.ttft is None or s.tpot is None:
        return False
    if s.s_kv is None or s.s_seq is None or s.osl is None or s.seated > 0.9 * min(s.s_kv, s.s_seq):
        return False
    return s.osl * s.tpot >= DECODE_STAY * (s.ttft + s.osl * s.tpot) and s.slow_stream


def far_above_floor(s: Signals) -> bool:
    """True when the step is longer than bandwidth, arithmetic, KV reads and usual overhead account for."""
    over = s.over_floor
    if over is None or s.floor is None or s.decode_step is None:
        return False
    small = s.r is not None and s.r <= SMALL_BATCH
    limit = max(ITL_BATCH_ONE_FAR, s.band.high) if small else s.band.high
    return over > limit and (s.slow_stream or (small and s.decode_step > limit * s.floor + NOTICED_MS))


def _evidence(s: Signals, roof: Roofline) -> tuple[Evidence, ...]:
    told = [
        note(
            "time per output token",
            tell(s.tpot, "ms"),
            f"above {ITL_SLOW:g} ms, or far above the floor",
            s.slow_stream or far_above_floor(s),
            "what a user sees of the decode step",
            s.source("tpot_ms_mean", s.source("itl_ms_mean", "itl")),
        )
    ]
    if s.floor is not None and s.tpot is not None:
        parts = (
            ("weights", roof.weights_ms),
            ("KV reads", roof.kv_reads_ms),
            ("compute", roof.compute_ms),
            ("collectives", roof.collectives_ms),
        )
        told.append(
            note(
                "decode floor",
                f"{tell(s.floor, 'ms')}: " + ", ".join(f"{n} {tell(v)}" for n, v in parts if v),
                f"measured {s.band.low:g} to {s.band.high:g} times the floor",
                s.tpot <= s.band.high * s.floor,
                f"measured is {s.tpot / s.floor:.1f} times the floor at peak rates",
                f"roofline; band: {s.band.source}",
            )
        )
    if s.waiting is not None:
        told.append(
            note(
                "WAITING",
                tell(s.waiting),
                "0",
                s.queue_seen is False,
                "nothing queues, so the step is what takes the time",
                s.source("waiting", "waiting"),
            )
        )
    elif s.all_decoding is not None:
        told.append(
            note(
                "requests decoding",
                f"{tell(s.seated)} of {tell(s.load)}",
                f"{ALL_DECODING:.0%} or more",
                s.all_decoding,
                "nearly all requests in the system are decoding",
                "Little's law",
            )
        )
    return tuple(told)


def _against(s: Signals, quiet: bool) -> str:
    if not quiet and (s.queue_seen or s.preempting):
        return "requests wait or are preempted: that comes before the length of a decode step"
    if s.tpot is not None and not s.slow_stream and not far_above_floor(s):
        at = "" if s.floor is None else f", {s.tpot / s.floor:.1f} times the floor"
        return f"a token every {tell(s.tpot, 'ms')}{at}: decode is not what hurts"
    if s.stalling:
        return "most gaps are short and a few are long: steps differ, the floor would not"
    if not quiet:
        return "most requests have no token yet: time is lost before decode"
    return "nothing shows the decode step to be the limit"
