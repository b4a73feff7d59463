"""What the classifier looks at: one flat record of numbers, each with where it was read.

Built once per case (:mod:`.gather`); the class modules only compare.
"""

from dataclasses import dataclass

from ...domain import Measured, Observation
from ...engine.efficiency import Band
from ..thresholds import (
    ALL_DECODING,
    ITL_SLOW,
    ITL_SPIKE,
    ITL_STALL,
    KV_FREE,
    KV_FULL,
    PREFILL_EXPLAINS,
    PREFILL_EXPLAINS_MOE,
    PREFILL_SATURATED,
    PROMPT_HEAVY,
    QUEUE_HARM,
    QUEUE_SHARE,
    SKEW,
    TTFT_FINE,
    WAITING_SHARE,
)

__all__ = ["BURST", "Signals"]

FIRST_TOKEN_CONSTANT_MS = 60.0
"""High end of what no arithmetic explains of a first token (engine.efficiency.FIRST_TOKEN_CONSTANT_MS)."""


BURST = 0.1
"""Median gap over mean gap below which the client saw bursts, not the engine's steps."""

CONTENDING = 2.0
"""ISL over OSL from which prompts are worth suspecting; from `prompt-heavy` on they may be named."""
CONTENTION = ((0.8, 0.5), (0.6, 0.55), (0.55, 0.7))
"""Share of the time that goes to prompts, and how sure a verdict of seats, blocks or decode may be from there on."""

WITHIN_ROUNDING = 0.98
"""A figure this near a floor is at it: published figures are rounded."""

MOST_COMPUTED = 1 / WITHIN_ROUNDING
"""Share of the peak FLOPs above which prompts were not all computed."""


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
    ttft_tail: float | None
    """The highest percentile of TTFT that is given."""
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
    queue_of_ttft: bool
    """True when queue time and TTFT are of the same requests, so that a short one denies a queue."""
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
    prefill_share: float | None
    """Share of the time in which steps carry prompts, as load and time per token tell it together."""
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
        if self._queue_time_long():
            return True
        return False if self.queue_of_ttft else None

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
        """True when users wait for the first token: over a second, and not for the prefill alone.

        A tail alone, with no mean and no median, may be the wait of all: it is taken for late.
        """
        late = self.ttft if self.ttft is not None else self.ttft_tail
        if late is None or late <= TTFT_FINE:
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
    def prompt_heavy(self) -> bool:
        """True when nearly all tokens that are computed are prompt tokens."""
        return self.isl is not None and self.osl is not None and self.isl >= PROMPT_HEAVY * self.osl

    @property
    def prefill_busy(self) -> bool:
        """True when prompts are computed as fast as such servers compute them, and little else is.

        More than the device's peak is no sign of it: those prompts were not computed, or a figure is wrong.
        """
        load = self.prefill_load
        return self.prompt_heavy and load is not None and self.prefill_limit <= load <= MOST_COMPUTED

    @property
    def prefill_saturated(self) -> bool:
        """True when prompts take nearly all of the steps: no seat and no block makes them faster to compute."""
        share = self.prefill_share
        computed = self.prefill_load is None or self.prefill_load <= MOST_COMPUTED
        return self.prompt_heavy and computed and share is not None and share >= PREFILL_SATURATED

    @property
    def contention(self) -> float:
        """Ceiling of sureness for full seats, a full pool or a long step while prefill may be what all of it waits for.

        In simulated servers whose cause was found by intervention, more seats or blocks cured nothing in so many of
        the cases with that share of the steps spent on prompts.
        """
        mostly_prompts = self.isl is not None and self.osl is not None and self.isl >= CONTENDING * self.osl
        if not mostly_prompts or self.prefill_share is None:
            return 1.0
        return next((cap for share, cap in CONTENTION if self.prefill_share >= share), 1.0)

    @property
    def tail_unknown(self) -> bool:
        """True when P99 ITL is not known and one prompt in a step could stop a stream for a time users see.

        Half of such a time by the law is enough to doubt: the law is off by that much.
        """
        return self.itl_p99 is None and (self.prompt_step is None or self.prompt_step > ITL_STALL / 2)

    @property
    def usual_gap(self) -> float | None:
        """The median gap, unless the client read tokens in bursts, which makes most gaps nothing: then the mean."""
        mean = self.itl_mean or self.tpot
        if self.itl_p50 is not None and (mean is None or self.itl_p50 >= BURST * mean):
            return self.itl_p50
        return mean

    @property
    def spike(self) -> float | None:
        """P99 ITL over the usual gap."""
        usual = self.usual_gap
        return None if self.itl_p99 is None or not usual else self.itl_p99 / usual

    @property
    def stalling(self) -> bool:
        """True when a few gaps are so long, and so much longer than the usual one, that users see the stream stop."""
        return self.spike is not None and self.spike >= ITL_SPIKE and (self.itl_p99 or 0.0) > ITL_STALL

    @property
    def slow_stream(self) -> bool:
        """True when users see the stream crawl."""
        return self.tpot is not None and self.tpot > ITL_SLOW
