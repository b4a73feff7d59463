"""Causes outside the five: a failed start, prefill arithmetic, the client or a proxy, the link, the host."""

from dataclasses import replace
from functools import partial

from ...domain import CORE_METRICS, Deployment, Evidence, Observation, PoolReading, Roofline
from ...domain.verdict import MeasureNext, Outside
from ..thresholds import COLLECTIVES_HEAVY, OFFERED_MISSING, PROMPT_HEAVY, TTFT_FINE
from .case import Case, note, tell
from .signals import Signals

__all__ = ["client_or_upstream", "deferred", "interconnect", "prefill_compute", "startup_failure"]

MEMORY_KINDS = {
    "no_kv_memory": "no memory is left for KV cache once the weights are loaded",
    "max_len_exceeds_kv": "one request of max_model_len does not fit in the KV pool",
    "free_memory": "the device has less free memory than --gpu-memory-utilization asks for",
    "oom_load": "memory ran out while the weights were loaded",
    "oom_profile": "memory ran out in the profiling run",
    "oom_graphs": "memory ran out while CUDA graphs were captured",
    "oom_sampler": "memory ran out in the sampler's warm-up",
    "oom_serving": "memory ran out in a step for requests, which allocates beside the KV pool",
    "oom": "memory ran out; whether at start or while it served is not told",
}
NOT_AT_START = ("oom_serving", "oom")

ENOUGH_CLIENTS = 4
"""Below it one request more or less is too large a share of the concurrency to draw anything from."""

OFFERED_FAR = 0.65
"""Share of the offered concurrency below which Little's law, a product of three figures each a tenth off, can say by
itself that requests are missing; from there to `offered-missing` a gauge must say so too."""

LATE_SHARE = 0.2
"""Share of requests without a token from which time is lost inside the engine, whatever the client does."""


def _case(outside: Outside, confidence: float, evidence: partial[tuple[Evidence, ...]], measure: MeasureNext) -> Case:
    return Case(None, confidence, evidence, str, measure, None, outside)


# --- a failed start

LOGGED, TOLD = 0.95, 0.75
"""Sureness of a failed start: the exception itself was pasted, or somebody tells of one."""
RETOLD = ("statement", "named value")

def startup_failure(seen: Observation) -> Case | None:
    """A log that ends in a failure, at start or out of memory later: there is no server to diagnose."""
    pool = seen.pool
    if pool is None or not (pool.error or pool.error_kind):
        return None
    told = pool.source in RETOLD
    if told and pool.error_kind in NOT_AT_START and len(seen.missing_core()) < len(CORE_METRICS):
        return None  # it lives, and how it does is asked
    sure = TOLD if told else LOGGED
    case = _case("startup_failure", sure, partial(_failed, pool), "block allocation rate")
    return replace(case, sub="out_of_memory") if pool.error_kind in NOT_AT_START else case


def _failed(pool: PoolReading) -> tuple[Evidence, ...]:
    kind = pool.error_kind or "unknown"
    why = MEMORY_KINDS.get(kind, "the engine stopped before it served")
    told = [note("log" if kind in NOT_AT_START else "startup", pool.error or kind, "no error", True, why, pool.source)]
    if kind in NOT_AT_START:
        why = "the engine is dead: no bottleneck is named, since nothing is served"
        told.append(note("kind of failure", kind, "memory", True, why, pool.source))
    elif kind in MEMORY_KINDS:
        why = "a memory failure at start: no bottleneck is named, since no request was served"
        told.append(note("kind of failure", kind, "memory", True, why, pool.source))
    if pool.needed_kv_gib is not None and pool.available_kv_gib is not None:
        there, wanted = f"{pool.available_kv_gib:g} GiB available", f"{pool.needed_kv_gib:g} GiB needed"
        why = "the missing GiB decide which change is enough"
        told.append(note("KV memory", there, wanted, True, why, pool.source))
    return tuple(told)


# --- prefill as fast as the device computes it


def prefill_compute(s: Signals) -> Case:
    """Prompts are computed as fast as the hardware computes them, and they queue for it."""
    inside = s.queue_seen is None or s.prefill_saturated  # prompts that run in turns are no queue on the gauge
    waits = s.first_tokens_late and (s.queue_seen or (inside and s.ttft_explained is False))
    confidence = 0.0
    if waits and s.prefill_busy and not (s.pool_full or s.preempting or s.preempted_ever):
        confidence = 0.85 if s.queue_seen else 0.72
    return _case("prefill_compute_bound", confidence, partial(_prefill_evidence, s), "WAITING queue depth")


def _prefill_evidence(s: Signals) -> tuple[Evidence, ...]:
    load = "not known" if s.prefill_load is None else f"{s.prefill_load:.0%} of peak FLOPs"
    why = "prompt rate x prefill floor: such servers compute prompts no faster than that share"
    told = [note("prefill load", load, f"{s.prefill_limit:.0%} or more", s.prefill_busy, why, "arithmetic")]
    lengths, why = f"{tell(s.isl)} to {tell(s.osl)} tokens", "nearly all tokens computed are prompt tokens"
    told.append(note("prompt against output", lengths, f"{PROMPT_HEAVY:g} to 1 or more", s.prompt_heavy, why, "load"))
    if s.waiting is not None:
        source = s.source("waiting")
        told.append(note("WAITING", tell(s.waiting), "above 0", bool(s.queue_seen), "prompts wait their turn", source))
    return tuple(told)


# --- the client, or something between it and the engine


def client_or_upstream(s: Signals) -> Case:
    """The offered concurrency does not arrive, or TTFT passes outside the engine."""
    confidence = max(_missing(s), 0.75 if _outside_share(s) else 0.0)
    return _case("client_or_upstream", confidence, partial(_client_evidence, s), "WAITING queue depth")


def _missing(s: Signals) -> float:
    """Sureness that requests the client offers are not in the engine."""
    if s.offered is None or s.offered < ENOUGH_CLIENTS or s.queue_seen:
        return 0.0
    late = s.before_first is not None and s.n is not None and s.before_first > LATE_SHARE * s.n
    if s.n is None or s.n >= OFFERED_MISSING * s.offered or late:
        return 0.0
    arrived = _arrived(s)
    if arrived is None:
        return 0.6 if s.n < OFFERED_FAR * s.offered else 0.4
    return 0.82 if arrived < OFFERED_MISSING * s.offered else 0.0


def _arrived(s: Signals) -> float | None:
    return None if s.running is None else s.running + (s.waiting or 0.0)


def _outside_share(s: Signals) -> bool:
    """True when less than half of a long TTFT passes in the engine's queue and prefill, all of one source."""
    inside = _inside_ms(s)
    return inside is not None and s.ttft is not None and s.ttft > TTFT_FINE and inside < 0.5 * s.ttft


def _inside_ms(s: Signals) -> float | None:
    if s.queue_ms is None or s.prefill_ms is None:
        return None
    kinds = {s.source(name).split(":")[0] for name in ("ttft_ms_mean", "queue_ms_mean", "prefill_ms_mean")}
    return s.queue_ms + s.prefill_ms if len(kinds) == 1 else None


def _client_evidence(s: Signals) -> tuple[Evidence, ...]:
    told: list[Evidence] = []
    if s.offered is not None:
        arrived = _arrived(s)
        there = f"N {tell(s.n)}" + ("" if arrived is None else f", running + waiting {tell(arrived)}")
        why = "the client says it keeps more requests in flight than the engine has"
        source = "Little's law" if arrived is None else s.source("running")
        told.append(
            note("requests in the system", there, f"the offered {tell(s.offered)}", _missing(s) > 0, why, source)
        )
    inside = _inside_ms(s)
    if inside is not None:
        spent = f"{tell(s.ttft, 'ms')} of which {tell(inside, 'ms')} in queue and prefill"
        why = "the rest passes before the scheduler sees the request, or after the token is made"
        source = s.source("ttft_ms_mean")
        told.append(note("TTFT against the engine's own time", spent, "most of it", _outside_share(s), why, source))
    return tuple(told)


# --- the link between the GPUs


def interconnect(s: Signals, roof: Roofline, deployment: Deployment | None) -> Case:
    """The collectives of tensor parallelism take a large part of the step."""
    kind = None if deployment is None or deployment.gpu is None else deployment.gpu.interconnect
    share = roof.collectives_ms / roof.decode_floor_ms if roof.collectives_ms and roof.decode_floor_ms else 0.0
    slow = kind in ("pcie", "ethernet") and s.slow_stream and s.queue_seen is not True
    confidence = 0.7 if share >= COLLECTIVES_HEAVY and slow else 0.0
    return _case("interconnect", confidence, partial(_link_evidence, share, kind), "P99 ITL")


def _link_evidence(share: float, kind: str | None) -> tuple[Evidence, ...]:
    there = f"{share:.0%} of the decode floor over {kind or 'an unknown link'}"
    why = "two all-reduces a layer, each bounded by the link"
    return (
        note("collectives", there, f"{COLLECTIVES_HEAVY:.0%} or more", share >= COLLECTIVES_HEAVY, why, "roofline"),
    )


# --- requests set aside


def deferred(s: Signals, deployment: Deployment | None) -> Case:
    """Requests wait for something that is not a seat: a grammar being compiled, a LoRA slot, a KV transfer."""
    many = bool(s.deferred and s.waiting and s.deferred > 0.5 * s.waiting)
    lora, transfer = _asks(deployment, "enable_lora"), _asks(deployment, "kv_transfer_config")
    confidence = 0.0 if not many else 0.45 if lora else 0.75
    what = "a LoRA slot (--max-loras)" if lora else "a KV transfer" if transfer else "a grammar that the host compiles"
    outside: Outside = "interconnect" if transfer and not lora else "host_overhead"
    return _case(outside, confidence, partial(_deferred_evidence, s, what), "WAITING queue depth")


def _asks(deployment: Deployment | None, name: str) -> bool:
    return deployment is not None and bool(deployment.setting(name) or deployment.args.get(name))


def _deferred_evidence(s: Signals, what: str) -> tuple[Evidence, ...]:
    there, why = f"{tell(s.deferred)} of {tell(s.waiting)}", f"set aside, most likely for {what}"
    return (note("WAITING, deferred", there, "0", True, why, s.source("waiting_deferred")),)
