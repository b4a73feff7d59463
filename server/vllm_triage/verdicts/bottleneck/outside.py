"""Causes outside the five: the client or a proxy, prefill arithmetic, the link, the host, a failed start."""

from ...domain import Deployment, Observation, Roofline
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
}


def startup_failure(seen: Observation) -> Case | None:
    """A log that ends in a failure: there is no server to diagnose."""
    pool = seen.pool
    if pool is None or not (pool.error or pool.error_kind):
        return None
    kind = pool.error_kind or "unknown"
    told = [
        note(
            "startup",
            pool.error or kind,
            "no error",
            True,
            MEMORY_KINDS.get(kind, "the engine stopped before it served"),
            pool.source,
        )
    ]
    if kind in MEMORY_KINDS:
        told.append(
            note(
                "kind of failure",
                kind,
                "memory",
                True,
                "a memory failure at start: no bottleneck is named, since no request was served",
                pool.source,
            )
        )
    if pool.needed_kv_gib is not None and pool.available_kv_gib is not None:
        told.append(
            note(
                "KV memory",
                f"{pool.available_kv_gib:g} GiB available",
                f"{pool.needed_kv_gib:g} GiB needed",
                True,
                "the missing GiB decide which change is enough",
                pool.source,
            )
        )
    return Case(None, 0.95, tuple(told), "", "block allocation rate", None, "startup_failure")


def prefill_compute(s: Signals) -> Case:
    """Prompts are computed as fast as the hardware computes them, and they queue for it."""
    waits = s.first_tokens_late and (s.queue_seen or (s.queue_seen is None and s.ttft_explained is False))
    busy = s.prefill_load is not None and s.prefill_load >= s.prefill_limit
    heavy = s.isl is not None and s.osl is not None and s.isl >= PROMPT_HEAVY * s.osl
    confidence = 0.0 if not (busy and waits and heavy) or s.pool_full else 0.85 if s.queue_seen else 0.72
    told = []
    if s.prefill_load is not None:
        told.append(
            note(
                "prefill load",
                f"{s.prefill_load:.0%} of peak FLOPs",
                f"{s.prefill_limit:.0%} or more",
                busy,
                "prompt rate x prefill floor: such servers compute prompts no faster than that share",
                "arithmetic",
            )
        )
        told.append(
            note(
                "prompt against output",
                f"{tell(s.isl)} to {tell(s.osl)} tokens",
                f"{PROMPT_HEAVY:g} to 1 or more",
                heavy,
                "nearly all tokens computed are prompt tokens",
                "load",
            )
        )
    return Case(None, confidence, tuple(told), "", "WAITING queue depth", None, "prefill_compute_bound")


def client_or_upstream(s: Signals) -> Case:
    """The offered concurrency does not arrive: the limit is before the engine."""
    arrived = None if s.running is None else s.running + (s.waiting or 0.0)
    confidence, told = 0.0, []
    if s.offered is not None and s.queue_seen is not True:
        few_gauge = arrived is not None and arrived < OFFERED_MISSING * s.offered and s.offered >= 4
        waits_inside = s.before_first is not None and s.n is not None and s.before_first > 0.2 * s.n
        few_law = s.n is not None and s.n < OFFERED_MISSING * s.offered and not waits_inside
        if few_gauge and few_law:
            confidence = 0.82
        elif few_law and arrived is None and s.offered >= 4:
            confidence = 0.6
        told.append(
            note(
                "requests in the system",
                f"N {tell(s.n)}" + ("" if arrived is None else f", running + waiting {tell(arrived)}"),
                f"the offered {tell(s.offered)}",
                confidence > 0,
                "the client says it keeps more requests in flight than the engine has",
                "Little's law" if arrived is None else s.sources.get("running", "gauge"),
            )
        )
    inside = None if s.queue_ms is None or s.prefill_ms is None else s.queue_ms + s.prefill_ms
    if inside is not None and s.ttft is not None and s.ttft > TTFT_FINE and _same_source(s) and inside < 0.5 * s.ttft:
        confidence = max(confidence, 0.75)
        told.append(
            note(
                "TTFT against the engine's own time",
                f"{tell(s.ttft, 'ms')} of which {tell(inside, 'ms')} in queue and prefill",
                "nearly all of it in the engine",
                True,
                "the rest passes before the scheduler sees the request, or after the token is made",
                s.sources.get("ttft_ms_mean", "ttft"),
            )
        )
    return Case(None, confidence, tuple(told), "", "WAITING queue depth", None, "client_or_upstream")


def _same_source(s: Signals) -> bool:
    """True when TTFT and the engine's own times are of one kind: a lifetime mean is not held against a benchmark."""
    kinds = {s.sources.get(name, "").split(":")[0] for name in ("ttft_ms_mean", "queue_ms_mean", "prefill_ms_mean")}
    return len(kinds) == 1


def interconnect(s: Signals, roof: Roofline, deployment: Deployment | None) -> Case:
    """The collectives of tensor parallelism take a large part of the step."""
    if deployment is None or roof.decode_floor_ms is None or not roof.collectives_ms:
        return Case(None, 0.0, (), "", "P99 ITL", None, "interconnect")
    share = roof.collectives_ms / roof.decode_floor_ms
    heavy = share >= COLLECTIVES_HEAVY
    kind = None if deployment.gpu is None else deployment.gpu.interconnect
    confidence = 0.7 if heavy and kind in ("pcie", "ethernet") and s.slow_stream and s.queue_seen is not True else 0.0
    told = (
        note(
            "collectives",
            f"{share:.0%} of the decode floor over {kind or 'an unknown link'}",
            f"{COLLECTIVES_HEAVY:.0%} or more",
            heavy,
            "two all-reduces a layer, each bounded by the link",
            "roofline",
        ),
    )
    return Case(None, confidence, told, "", "P99 ITL", None, "interconnect")


def deferred(s: Signals, deployment: Deployment | None) -> Case:
    """Requests wait for something that is not a seat: a grammar being compiled, a LoRA slot, a KV transfer."""
    many = bool(s.deferred and s.waiting and s.deferred > 0.5 * s.waiting)
    lora = deployment is not None and bool(deployment.setting("enable_lora") or deployment.args.get("enable_lora"))
    transfer = deployment is not None and bool(
        deployment.setting("kv_transfer_config") or deployment.args.get("kv_transfer_config")
    )
    what = "a KV transfer" if transfer else "a LoRA slot (--max-loras)" if lora else "a grammar that the host compiles"
    confidence = 0.0 if not many else 0.45 if lora and transfer else 0.75 if transfer or not lora else 0.45
    told = (
        ()
        if not many
        else (
            note(
                "WAITING, deferred",
                f"{tell(s.deferred)} of {tell(s.waiting)}",
                "0",
                True,
                f"set aside, most likely for {what}",
                s.sources.get("waiting_deferred", "vllm:num_requests_waiting_by_reason"),
            ),
        )
    )
    return Case(
        None, confidence, told, "", "WAITING queue depth", None, "interconnect" if transfer else "host_overhead"
    )
