"""What the classifier looks at: one flat record of numbers, each with where it was read.

Built once per case; the class modules only compare. A gauge that says the server was idle while the benchmark says it
was loaded was scraped at another time, and is set aside.
"""

from dataclasses import dataclass

from ...domain import Deployment, Measured, MemoryBudget, Observation, Roofline
from ...engine.efficiency import Band, decode_band, gemm_share
from ...engine.machine import draft_tokens, whole
from ..thresholds import (
    ALL_DECODING,
    AT_POOL_HIGH,
    ITL_SLOW,
    KV_FREE,
    KV_FULL,
    MFU_BOUND,
    POOL_ERROR,
    PREEMPTION_RATE,
    PREFILL_EXPLAINS,
    PREFILL_EXPLAINS_MOE,
    QUEUE_HARM,
    QUEUE_SHARE,
    SKEW,
    TTFT_FINE,
    WAITING_SHARE,
)

__all__ = ["Signals", "read_signals"]

FIRST_TOKEN_CONSTANT_MS = 60.0
"""High end of what no arithmetic explains of a first token (engine.efficiency.FIRST_TOKEN_CONSTANT_MS)."""


WITHIN_ROUNDING = 0.98
"""A figure this near a floor is at it: published figures are rounded."""


@dataclass(frozen=True, slots=True)
class Signals:
    """One case. Times in ms, usages 0 to 1, None where nothing says it."""

    offered: float | None
    """Concurrency the client offers."""
    running: float | None
    """Gauge, of a scrape under load."""
    waiting: float | None
    deferred: float | None
    kv: float | None
    preempting: bool | None
    """True: a rate above the threshold. False: a rate of zero. None: no rate known."""
    preempted_ever: bool
    r: float | None
    """R by Little's law, or the running gauge where the law has no inputs."""
    r_from: str
    n: float | None
    seated: float | None
    """R and the requests in prefill: what holds seats and blocks."""
    before_first: float | None
    """Requests without a token yet, by Little's law."""
    s_kv: float | None
    s_kv_low: float | None
    """The seats at the low and high end of a predicted pool; both S_kv where it was measured."""
    s_kv_high: float | None
    s_seq: int | None
    pool_tokens: int | None
    pool_measured: bool
    pool_pinned: bool
    weights_share: float | None
    budget: int | None
    isl: float | None
    osl: float | None
    rate: float | None
    ttft: float | None
    """Mean time to first token, or the median where no mean is given."""
    ttft_typical: float | None
    """Median time to first token, or the mean: what most requests see."""
    tpot: float | None
    decode_step: float | None
    """The time per token less the share in which steps carry the prompts of others."""
    itl_mean: float | None
    itl_p50: float | None
    itl_p99: float | None
    queue_ms: float | None
    prefill_ms: float | None
    floor: float | None
    """Decode floor per token; with speculation over the acceptance length, or all drafts where that is not known."""
    band: Band
    prefill_floor: float | None
    prefill_expected: float | None
    chunk_step: float | None
    prompt_step: float | None
    """Expected time of a step that carries one prompt of mean length, at most the budget."""
    chunk_spread: tuple[float, float]
    """Low and high end of both, as multiples: the efficiencies measured servers reach lie in a band."""
    prefill_load: float | None
    """Share of the peak that prefill alone takes, attention included: prompt rate x prefill floor."""
    prefill_limit: float
    """The share at which such servers compute prompts no faster."""
    moe: bool
    cpu: bool
    firm: bool
    """True when GPU, version and flags are given, and the pool was measured."""
    idle_scrape: bool
    seen: Observation

    def source(self, name: str, otherwise: str = "") -> str:
        """Where a measurement was read."""
        found = getattr(self.seen, name)
        return found.source if isinstance(found, Measured) else otherwise

    # --- questions every class asks

    @property
    def load(self) -> float | None:
        """How many requests want to run: as offered, else in the system, else running and waiting."""
        if self.offered is not None:
            return self.offered
        if self.n is not None:
            return self.n
        return None if self.running is None else self.running + (self.waiting or 0.0)

    @property
    def queue_seen(self) -> bool | None:
        """True when gauges or the queue time show requests waiting for the engine, False when they show none."""
        if self.waiting is not None:
            ready = self.waiting - (self.deferred or 0.0)
            if ready >= max(1.0, WAITING_SHARE * (self.running or 0.0)):
                return True
            return False if not self._queue_time_long() else None
        if self.queue_ms is None or self.ttft is None:
            return None
        return self._queue_time_long()

    def _queue_time_long(self) -> bool:
        return (
            self.queue_ms is not None
            and self.ttft is not None
            and self.ttft > TTFT_FINE
            and (self.queue_ms > QUEUE_SHARE * self.ttft)
        )

    @property
    def pool_full(self) -> bool | None:
        """True when the usage gauge, or the room it leaves, keeps the next prompt out; None between free and full."""
        if self.kv is None:
            return None
        if self.kv >= KV_FULL:
            return True
        if self.pool_tokens is not None and self.isl is not None and (1 - self.kv) * self.pool_tokens < self.isl:
            return True
        if self.kv < KV_FREE:
            return False
        return True if self.preempting or self.preempted_ever or self._below_seats() else None

    def _below_seats(self) -> bool:
        """Requests wait although seats are free, so something else keeps them out."""
        return bool(self.waiting and self.running is not None and self.s_seq and self.running < 0.95 * self.s_seq)

    @property
    def all_decoding(self) -> bool | None:
        """True when nearly every request in the system has its first token, by Little's law."""
        if self.seated is None or self.load is None:
            return None
        return self.seated >= ALL_DECODING * self.load

    @property
    def ttft_explained(self) -> bool | None:
        """True when prefill accounts for TTFT; None when TTFT is long and the prefill floor unknown."""
        if self.ttft_typical is None:
            return None
        if self.prefill_floor is not None:
            factor = PREFILL_EXPLAINS_MOE if self.moe else PREFILL_EXPLAINS
            return self.ttft_typical <= factor * self.prefill_floor + FIRST_TOKEN_CONSTANT_MS
        return True if self.ttft_typical <= TTFT_FINE else None

    @property
    def may_wait(self) -> bool:
        """True when TTFT is long enough to hold a wait that prefill does not account for."""
        if self.ttft is None or self.ttft <= QUEUE_HARM:
            return False
        return self.prefill_floor is None or self.ttft_explained is not True

    @property
    def first_tokens_late(self) -> bool:
        """True when users wait for the first token: over a second, and not for the prefill alone."""
        if self.ttft is None or self.ttft <= TTFT_FINE:
            return False
        return bool(self.queue_seen) or self.ttft_explained is not True

    @property
    def skewed(self) -> bool:
        """True when a few requests are so slow that the mean says nothing of the others."""
        return self.ttft is not None and self.ttft_typical is not None and self.ttft > SKEW * self.ttft_typical

    @property
    def over_floor(self) -> float | None:
        """The decode step, without the prompts of others, over its floor."""
        return None if not self.floor or self.decode_step is None else self.decode_step / self.floor

    @property
    def below_floor(self) -> bool:
        """True when the time per token given is shorter than the hardware allows."""
        return self.floor is not None and self.tpot is not None and self.tpot < WITHIN_ROUNDING * self.floor

    @property
    def slow_stream(self) -> bool:
        """True when users see the stream crawl."""
        return self.tpot is not None and self.tpot > ITL_SLOW


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
        ttft_typical=_value(seen.ttft_ms_p50) or ttft,
        tpot=tpot,
        decode_step=None if tpot is None else tpot * (1 - min(1.0, (load or 0.0) / share.mid)),
        itl_mean=_value(seen.itl_ms_mean),
        itl_p50=_value(seen.itl_ms_p50),
        itl_p99=_value(seen.itl_ms_p99),
        queue_ms=_value(seen.queue_ms_mean),
        prefill_ms=_value(seen.prefill_ms_mean),
        floor=None if roof.decode_floor_ms is None else roof.decode_floor_ms / max(1.0, tokens_a_step),
        band=decode_band(gpu, model),
        prefill_floor=roof.prefill_floor_ms,
        prefill_expected=expected,
        chunk_step=roof.chunk_step_ms,
        prompt_step=None
        if roof.chunk_step_ms is None or not budget or isl is None
        else roof.chunk_step_ms * min(1.0, isl / budget),
        chunk_spread=(share.mid / share.high, share.mid / share.low),
        prefill_load=load,
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


def _value(found: Measured | None) -> float | None:
    return None if found is None else found.value


def _highest(*found: Measured | None) -> float | None:
    values = [one.value for one in found if one is not None]
    return max(values) if values else None
