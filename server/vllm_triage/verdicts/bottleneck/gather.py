"""Gathering one case: from deployment, observation, memory and roofline to the flat record the classes compare.

A gauge that says the server was idle while the benchmark says it was loaded was scraped at another time, and is set
aside. A predicted pool that the load itself refutes is set aside too.
"""

from ...domain import Accelerator, Deployment, Measured, MemoryBudget, ModelShape, Observation, Roofline
from ...engine.efficiency import decode_band, gemm_share
from ...engine.machine import draft_tokens, whole
from ..thresholds import AT_POOL_HIGH, MFU_BOUND, POOL_ERROR, PREEMPTION_RATE
from .signals import Signals

__all__ = ["read_signals"]


def read_signals(
    deployment: Deployment | None, seen: Observation, memory: MemoryBudget | None, roof: Roofline
) -> Signals:
    """Gather one case."""
    idle = _idle_scrape(seen, roof)
    running = None if idle else _value(seen.running_max) or _value(seen.running)
    waiting = None if idle else _highest(seen.waiting_max, seen.waiting)
    kv = None if idle else _highest(seen.kv_usage_max, seen.kv_usage)
    rate = _value(seen.request_rate)
    out, osl, isl = _value(seen.output_tok_s), _value(seen.output_tokens), _value(seen.input_tokens)
    if rate is None and out and osl:
        rate = out / osl
    ttft = _value(seen.ttft_ms_mean) or _value(seen.ttft_ms_p50)
    model = None if deployment is None else deployment.model
    gpu = None if deployment is None else deployment.gpu
    share = gemm_share(gpu, model)
    expected = None if roof.prefill_floor_ms is None else roof.prefill_floor_ms / share.mid
    r, r_from = (
        (roof.running, "output_tok_s x TPOT") if roof.running is not None else (running, "vllm:num_requests_running")
    )
    prefilling = 0.0
    if rate is not None and expected is not None and ttft is not None:
        prefilling = rate * min(expected, ttft) / 1000
    tokens_a_step = _value(seen.acceptance_length) or 1.0 + (0 if deployment is None else draft_tokens(deployment))
    budget = roof.token_budget
    tpot = _value(seen.tpot_ms_mean) or _value(seen.itl_ms_mean) or _value(seen.itl_ms_p50)
    floor = None if roof.decode_floor_ms is None else roof.decode_floor_ms / max(1.0, tokens_a_step)
    load = _prefill_load(deployment, seen.engines, rate, roof)
    pool = None if memory is None else memory.pool
    spread = _spread(memory)
    seats = None if _refuted(memory, roof, spread) else roof.seats_kv
    return Signals(
        offered=_value(seen.concurrency),
        running=running,
        waiting=waiting,
        deferred=_value(seen.waiting_deferred),
        kv=kv,
        preempting=None if seen.preemption_rate is None else seen.preemption_rate.value > PREEMPTION_RATE,
        preempted_ever=bool(_value(seen.preemptions_total)),
        r=r,
        r_from=r_from,
        n=roof.in_system,
        seated=None if r is None else r + prefilling,
        before_first=None if rate is None or ttft is None else rate * ttft / 1000,
        s_kv=seats,
        s_kv_low=None if seats is None else seats * spread[0],
        s_kv_high=None if seats is None else seats * spread[1],
        s_seq=roof.seats_scheduler,
        pool_tokens=_pool_tokens(memory, seen),
        pool_measured=seen.pool is not None if pool is None else pool.basis == "measured",
        pool_pinned=_pinned(deployment),
        weights_share=_weights_share(memory),
        budget=budget,
        isl=isl,
        osl=osl,
        rate=rate,
        ttft=ttft,
        ttft_tail=_value(seen.ttft_ms_p99) or _value(seen.ttft_ms_p95) or _value(seen.ttft_ms_p90),
        ttft_typical=_value(seen.ttft_ms_p50) or ttft,
        tpot=tpot,
        decode_step=None if tpot is None else tpot * (1 - min(1.0, (load or 0.0) / share.mid)),
        itl_mean=_value(seen.itl_ms_mean),
        itl_p50=_value(seen.itl_ms_p50),
        itl_p99=_value(seen.itl_ms_p99) or _value(seen.itl_ms_p95),  # no larger: a spike in it is one in the p99
        queue_ms=_value(seen.queue_ms_mean),
        prefill_ms=_value(seen.prefill_ms_mean),
        queue_of_ttft=_same_source(seen.queue_ms_mean, seen.ttft_ms_mean),
        floor=floor,
        band=decode_band(gpu, model),
        prefill_floor=roof.prefill_floor_ms,
        prefill_expected=expected,
        chunk_step=roof.chunk_step_ms,
        prompt_step=None
        if roof.chunk_step_ms is None or not budget or isl is None
        else roof.chunk_step_ms * min(1.0, isl / budget),
        chunk_spread=(share.mid / share.high, share.mid / share.low),
        prefill_load=load,
        prefill_share=_prefill_share(tpot, floor, load, gpu=gpu, model=model),
        prefill_limit=min(MFU_BOUND, share.low),
        moe=model is not None and model.moe is not None,
        cpu=_is_cpu(deployment, seen),
        firm=_firm(deployment) and pool is not None and pool.basis == "measured",
        idle_scrape=idle,
        seen=seen,
    )


def _prefill_load(deployment: Deployment | None, engines: int, rate: float | None, roof: Roofline) -> float | None:
    if rate is None or roof.prefill_floor_ms is None:
        return None
    replicas = engines if deployment is None else max(engines, whole(deployment.setting("data_parallel_size")))
    return rate * roof.prefill_floor_ms / 1000 / replicas


def _prefill_share(
    tpot: float | None, floor: float | None, load: float | None, *, gpu: Accelerator | None, model: ModelShape | None
) -> float | None:
    """Share of the time in which steps carry prompts, 0 to 1, from two sides that are each a range.

    By load: prompt rate x prefill floor over the share of the peak that servers reach. By the time per token: what is
    longer in it than decode steps are. The middle of what both allow; the middle of the gap where they disagree, or
    the load alone for a mixture of experts, whose decode steps lie anywhere in a wide band.
    """
    if tpot is None or not floor or load is None:
        return None
    band, reach = decode_band(gpu, model), gemm_share(gpu, model)
    by_load = min(1.0, load / reach.high), min(1.0, load / reach.low)
    by_step = max(0.0, 1 - band.high * floor / tpot), max(0.0, 1 - band.low * floor / tpot)
    if model is not None and model.moe is not None and by_step[1] < by_load[0]:
        return sum(by_load) / 2
    return (max(by_load[0], by_step[0]) + min(by_load[1], by_step[1])) / 2


def _idle_scrape(seen: Observation, roof: Roofline) -> bool:
    """True when the gauges show no request although the other sources show load: scraped before or after."""
    running, waiting = _highest(seen.running_max, seen.running), _highest(seen.waiting_max, seen.waiting)
    return running == 0 and not waiting and (roof.running or 0.0) > 0


def _weights_share(memory: MemoryBudget | None) -> float | None:
    if memory is None or memory.budget.weights_gib is None or not memory.budget.total_gib:
        return None
    return memory.budget.weights_gib / memory.budget.total_gib


def _pool_tokens(memory: MemoryBudget | None, seen: Observation) -> int | None:
    if memory is not None and memory.pool is not None:
        return memory.pool.tokens
    return None if seen.pool is None else seen.pool.tokens


def _spread(memory: MemoryBudget | None) -> tuple[float, float]:
    """Low and high end of the pool as multiples of its figure: the memory model's interval and its known error.

    Its error is a matter of GiB, whatever the pool: on a pool of a few GiB it is a large share.
    """
    gib = None if memory is None else memory.budget.kv_pool_gib
    if memory is None or memory.pool is None or memory.pool.basis == "measured" or gib is None or gib.mid <= 0:
        return 1.0, 1.0
    return max(0.0, (gib.low - POOL_ERROR) / gib.mid), (max(gib.mid, gib.high) + POOL_ERROR) / gib.mid


def _refuted(memory: MemoryBudget | None, roof: Roofline, spread: tuple[float, float]) -> bool:
    """True when more sequences decode than a predicted pool could hold: the prediction is wrong, not the server."""
    if memory is None or memory.pool is None or memory.pool.basis == "measured":
        return False
    if roof.running is None or roof.seats_kv is None:
        return False
    return roof.running > AT_POOL_HIGH * roof.seats_kv * spread[1]


def _pinned(deployment: Deployment | None) -> bool:
    """True when the pool's size was typed, so that a small one is a choice."""
    return deployment is not None and any(
        deployment.setting(name) is not None or deployment.was_given(name)
        for name in ("kv_cache_memory_bytes", "num_gpu_blocks_override")
    )


def _firm(deployment: Deployment | None) -> bool:
    return deployment is not None and deployment.vllm_version.origin != "assumed" and deployment.gpu_origin != "assumed"


def _is_cpu(deployment: Deployment | None, seen: Observation) -> bool:
    if deployment is not None and deployment.gpu is not None:
        return deployment.gpu.vendor == "cpu"
    return (seen.device or "").upper().startswith("CPU")


def _same_source(one: Measured | None, other: Measured | None) -> bool:
    """True when both were read from the same text over the same span."""
    if one is None or other is None:
        return False

    def origin(source: str) -> tuple[str, bool]:
        return source.partition(":")[0].partition(",")[0], "lifetime" in source

    return origin(one.source) == origin(other.source)


def _value(found: Measured | None) -> float | None:
    return None if found is None else found.value


def _highest(*found: Measured | None) -> float | None:
    values = [one.value for one in found if one is not None]
    return max(values) if values else None
