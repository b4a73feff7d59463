"""``chunked_prefill_missized``: the token budget of a step does not suit the prompts.

Too large: a step that carries a full chunk of a prompt holds up every stream in it, so the tail of ITL stands far above
its median, at the length of such a step. Too small: a prompt is cut into many steps, each with its fixed cost, so TTFT
is long although nothing waits. A queue or preemptions explain both and come first.
"""

from functools import partial
from math import ceil

from ...domain import Evidence
from ...domain.verdict import SubBound
from ..thresholds import CHUNK_FILLS, CHUNK_HIGH, CHUNK_LOW, CHUNKS_MANY, ITL_EVEN, ITL_SPIKE, ITL_STALL, TTFT_FINE
from .case import Case, note, tell
from .signals import BURST, Signals

__all__ = ["judge"]

LAW_AND_SPIKE, SPIKE_ONLY, SPIKE_OFF_LAW, CHUNKS = 0.85, 0.70, 0.60, 0.70
"""Sureness: the tail has the length the chunk-step law gives; only the spike is seen; the tail has another length, but
prompts fill the budget and nothing waits; many chunks explain TTFT."""


def judge(s: Signals) -> Case:
    """Hold the case against the class."""
    if (large := _too_large(s)) > 0:
        return Case("chunked_prefill_missized", large, partial(_evidence, s), str, "P99 ITL", "budget_too_large")
    small = _too_small(s)
    sub: SubBound | None = "budget_too_small" if small else None
    return Case("chunked_prefill_missized", small, partial(_evidence, s), partial(_against, s), "P99 ITL", sub)


def _queue_explains(s: Signals) -> bool:
    """A harmful queue comes first; preemptions stop streams as chunks do. A short queue does neither."""
    return bool((s.queue_seen and s.first_tokens_late) or s.preempting or (s.pool_full and s.preempted_ever))


def _too_large(s: Signals) -> float:
    spike = s.spike
    if spike is None or spike < ITL_SPIKE or s.itl_p99 is None or s.itl_p99 <= ITL_STALL or _queue_explains(s):
        return 0.0
    if s.isl is not None and s.budget is not None and s.isl < CHUNK_FILLS * s.budget and not _law(s):
        return 0.0
    if s.queue_seen is None and s.first_tokens_late:
        return 0.0  # a queue is likely and would come first
    law = _law(s)
    if law is False:
        fills = s.isl is not None and s.budget is not None and s.isl >= CHUNK_FILLS * s.budget
        return SPIKE_OFF_LAW if fills and s.queue_seen is False else 0.0
    return LAW_AND_SPIKE if law and s.queue_seen is False else SPIKE_ONLY


def _law(s: Signals) -> bool | None:
    """True when the tail lies between half of a step with one prompt in it and twice a step with a full budget."""
    if s.chunk_step is None or s.itl_p99 is None:
        return None
    low, high = s.chunk_spread
    return CHUNK_LOW * low * (s.prompt_step or s.chunk_step) <= s.itl_p99 <= CHUNK_HIGH * high * s.chunk_step


def _chunks(s: Signals) -> int | None:
    return None if s.isl is None or not s.budget else ceil(s.isl / s.budget)


def _too_small(s: Signals) -> float:
    chunks = _chunks(s)
    if chunks is None or s.isl is None or not s.budget or s.isl < CHUNKS_MANY * s.budget or s.ttft is None:
        return 0.0
    if s.queue_seen is not False or s.pool_full or s.preempting or s.ttft <= TTFT_FINE:
        return 0.0
    step = max(s.itl_mean or s.tpot or 0.0, s.chunk_step or 0.0)
    return CHUNKS if step and CHUNK_LOW <= s.ttft / (chunks * step) <= CHUNK_HIGH else 0.0


def _evidence(s: Signals) -> tuple[Evidence, ...]:
    told: list[Evidence] = []
    if (spike := s.spike) is not None:
        told.append(
            note(
                "P99 ITL over the usual gap",
                f"{spike:.1f} ({tell(s.itl_p99, 'ms')} over {tell(s.usual_gap, 'ms')})",
                f"{ITL_SPIKE:g} or more",
                spike >= ITL_SPIKE,
                "steps that carry prompt tokens hold up every stream in them",
                s.source("itl_ms_p99", "itl"),
            )
        )
    if s.chunk_step is not None and s.itl_p99 is not None:
        told.append(
            note(
                "P99 ITL against the chunk-step law",
                f"{tell(s.itl_p99, 'ms')}; full budget of {s.budget}: {tell(s.chunk_step, 'ms')}",
                f"{CHUNK_LOW:g} of a step with one prompt to {CHUNK_HIGH:g} of a full one",
                bool(_law(s)),
                "2 x active parameters x token budget / (GPUs x peak x efficiency)",
                "arithmetic",
            )
        )
    if s.isl is not None and s.budget is not None:
        told.append(
            note(
                "prompt against token budget",
                f"{tell(s.isl)} of {s.budget} tokens, {_chunks(s)} chunk(s)",
                f"{CHUNK_FILLS:g} of the budget or more",
                s.isl >= CHUNK_FILLS * s.budget,
                "only prompts of this size fill a step",
                "max_num_batched_tokens",
            )
        )
    if s.waiting is not None:
        told.append(
            note(
                "WAITING",
                tell(s.waiting),
                "0",
                s.queue_seen is False,
                "without a queue the step length itself is the cause",
                s.source("waiting", "waiting"),
            )
        )
    return tuple(told)


def _against(s: Signals) -> str:
    spike = s.spike
    if spike is None:
        return (
            "P99 ITL is not given, and the prompts are not cut into many chunks"
            if s.isl is not None
            else "P99 ITL is not given"
        )
    if spike < BURST:
        return f"the client read tokens in bursts (P99 ITL {tell(s.itl_p99, 'ms')}): its gaps tell nothing of the steps"
    if spike < ITL_EVEN:
        return f"P99 ITL is {spike:.1f} times the usual gap: no step is much longer than another"
    if s.itl_p99 is not None and s.itl_p99 <= ITL_STALL:
        return f"P99 ITL is {tell(s.itl_p99, 'ms')}: no user notices"
    if spike < ITL_SPIKE:
        return f"P99 ITL is {spike:.1f} times the usual gap, below {ITL_SPIKE:g}"
    if _queue_explains(s):
        return "the tail of ITL is a symptom here: requests wait or are preempted"
    if s.isl is not None and s.budget is not None and s.isl < CHUNK_FILLS * s.budget:
        return f"prompts of {tell(s.isl)} tokens do not fill a budget of {s.budget}"
    if _law(s) is False:
        return "the tail of ITL has not the length of a full-budget step"
    return "most of the time to first token is waiting, which comes first"
