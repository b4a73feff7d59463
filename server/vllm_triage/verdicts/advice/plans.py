"""Which knobs are tried for which bottleneck, in order of least harm, and what does not help there."""

from collections.abc import Callable
from dataclasses import dataclass

from ...domain import Exhausted, Verdict
from .knobs import decode, memory, outside, scheduler, serving, startup
from .situation import Candidate, Situation, Unknown

__all__ = ["Knob", "Plan", "plan_for", "plan_for_target"]

Knob = Callable[[Situation], Candidate | Exhausted | Unknown]


@dataclass(frozen=True, slots=True)
class Vain:
    """What does not help, and the knob that shows it."""

    words: str
    knob: Knob | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Knobs in the order they are tried. `vain` names what people reach for in vain."""

    knobs: tuple[Knob, ...]
    vain: "tuple[str | Vain, ...]" = ()
    scales: bool = False
    """True when more GPUs would help once every knob is spent."""

    @property
    def useless(self) -> tuple[str, ...]:
        """The sentences on what is in vain."""
        return tuple(one if isinstance(one, str) else one.words for one in self.vain)

    @property
    def useless_knobs(self) -> "tuple[Vain, ...]":
        """The same, with the knob where there is one to try."""
        return tuple(Vain(one) if isinstance(one, str) else one for one in self.vain)


MORE_POOL: tuple[Knob, ...] = (
    memory.unpin_blocks,
    memory.wider_pin,
    memory.more_utilization,
    memory.fp8_kv_cache,
    memory.replicated_latents,
    memory.smaller_budget,
    memory.smaller_batch,
    memory.fp8_weights,
)

KV_STARVATION = Plan(
    (*MORE_POOL[:3], scheduler.fewer_seats, scheduler.watermark, *MORE_POOL[3:], outside.shorter_requests),
    vain=(
        Vain("raising --max-num-seqs: the pool is full, more seats only mean more preemption", scheduler.doubled_seats),
        "lowering --max-model-len: blocks are handed out as requests grow, not reserved for the longest one",
        "turning prefix caching off: cached blocks nobody uses are evicted first and do not count as used",
    ),
    scales=True,
)
HBM_BOUND = Plan(
    MORE_POOL,
    vain=(
        "raising --max-num-seqs or --max-num-batched-tokens: there is no room for the batch they would admit",
        "lowering --max-model-len: it lets the engine start, it does not make the pool larger",
    ),
    scales=True,
)
QUEUE_STALL = Plan(
    (scheduler.more_seats, scheduler.seats_and_pool, scheduler.chunked_prefill_on),
    vain=(
        "a larger KV pool (utilisation, FP8 KV, smaller --max-model-len): the pool has room",
        "replicas, while this one has idle memory behind its own cap",
    ),
    scales=True,
)
QUEUE_FOR_BUDGET = Plan(
    (scheduler.chunked_prefill_on, scheduler.more_budget, decode.prefix_caching),
    vain=(
        Vain("raising --max-num-seqs: prompts wait for the token budget of a step, not for a seat", scheduler.doubled_seats),
    ),
    scales=True,
)
CHUNKS_TOO_LARGE = Plan(
    (scheduler.chunked_prefill_on, scheduler.smaller_chunks, scheduler.long_prefill_cap),
    vain=(
        Vain("raising --max-num-seqs: nothing waits for a seat", scheduler.doubled_seats),
        "a larger KV pool: it is not full",
    ),
)
CHUNKS_TOO_SMALL = Plan(
    (scheduler.chunked_prefill_on, scheduler.more_budget, decode.prefix_caching),
    vain=(
        Vain("raising --max-num-seqs: nothing waits for a seat", scheduler.doubled_seats),
        "a larger KV pool: it is not full",
    ),
)
DECODE_OVERHEAD = Plan(
    (decode.cuda_graphs, decode.async_scheduling, outside.host_first),
    vain=("a larger KV pool or more seats: the step itself is slow",),
)
DECODE_FLOOR = Plan(
    (
        decode.cuda_graphs,
        decode.async_scheduling,
        decode.without_speculation,
        decode.ngram_speculation,
        memory.fp8_weights,
    ),
    vain=(
        "scheduler flags (seats, token budget, pool): every running stream already decodes at the hardware's pace",
    ),
)
DECODE_KV_READS = Plan(
    (memory.fp8_kv_cache, decode.cuda_graphs, decode.async_scheduling, outside.shorter_requests),
    vain=("quantised weights alone: most of the bytes read each step are KV cache",),
)
DECODE_COMPUTE = Plan(
    (decode.without_speculation, memory.fp8_weights, scheduler.smaller_chunks),
    vain=("speculative decoding: verifying drafts needs the compute that is short",),
)
PREFILL_COMPUTE = Plan(
    (decode.prefix_caching, memory.fp8_weights),
    vain=(
        Vain("a larger token budget: the arithmetic of the prompts is the limit, however it is cut", scheduler.more_budget),
        "raising --max-num-seqs: more prompts would share the same compute",
    ),
    scales=True,
)
CLIENT = Plan(
    (outside.client_first,), vain=("scheduler flags: the engine is not given enough work to show their effect",)
)
INTERCONNECT = Plan(
    (outside.link_first,), vain=("scheduler flags: the ranks wait for each other, not for the scheduler",)
)
HOST = Plan(
    (decode.cuda_graphs, decode.async_scheduling, outside.host_first),
    vain=("a larger KV pool or more seats: the device waits for the host",),
)
NOTHING = Plan(())

STARTUP = {
    "max_len_exceeds_kv": Plan(
        (
            startup.longer_pin,
            memory.unpin_blocks,
            memory.more_utilization,
            memory.fp8_kv_cache,
            memory.smaller_budget,
            memory.fp8_weights,
            startup.shorter_context,
        ),
        scales=True,
    ),
    "no_kv_memory": Plan(
        (memory.more_utilization, startup.fewer_seats_to_start, memory.smaller_budget, memory.fp8_weights),
        vain=(
            "lowering --gpu-memory-utilization: it takes memory from the pool that is missing it",
            "lowering --max-model-len alone: the weights and the profile leave nothing for any length",
        ),
        scales=True,
    ),
    "free_memory": Plan((startup.free_the_device,)),
    "oom_load": Plan(
        (memory.fp8_weights,),
        vain=("--gpu-memory-utilization: the weights themselves do not fit, whatever the share",),
        scales=True,
    ),
    "oom_profile": Plan((startup.smaller_profile, startup.fewer_seats_to_start, memory.fp8_weights), scales=True),
    "oom_graphs": Plan((startup.fewer_graphs, startup.lower_utilization, startup.smaller_profile)),
    "oom_sampler": Plan((startup.fewer_seats_to_start, startup.lower_utilization, startup.fewer_graphs)),
    "oom_serving": Plan(
        (serving.more_headroom, serving.smaller_pin, serving.smaller_steps, serving.fewer_seats, memory.fp8_weights),
        vain=(
            "raising --gpu-memory-utilization: the pool takes what the steps lack",
            "lowering --max-model-len frees nothing by itself: it only refuses the requests beyond it",
        ),
    ),
    "oom": Plan(
        (serving.smaller_steps, serving.fewer_seats, memory.fp8_weights),
        vain=("--gpu-memory-utilization, either way, before it is known whether it ran out at start or in a step for requests",),
    ),
}
"""Plans for a server that does not start, or does not stay up, by the step it failed in."""

BY_SUB_BOUND = {
    ("queue_stall", "budget"): QUEUE_FOR_BUDGET,
    ("chunked_prefill_missized", "budget_too_small"): CHUNKS_TOO_SMALL,
    ("decode_bound", "kv_reads"): DECODE_KV_READS,
    ("decode_bound", "compute"): DECODE_COMPUTE,
    ("decode_bound", "overhead"): DECODE_OVERHEAD,
}
BY_BOTTLENECK = {
    "kv_starvation": KV_STARVATION,
    "hbm_bound": HBM_BOUND,
    "queue_stall": QUEUE_STALL,
    "chunked_prefill_missized": CHUNKS_TOO_LARGE,
    "decode_bound": DECODE_FLOOR,
}
BY_OUTSIDE = {
    "client_or_upstream": CLIENT,
    "prefill_compute_bound": PREFILL_COMPUTE,
    "interconnect": INTERCONNECT,
    "host_overhead": HOST,
}


def plan_for(verdict: Verdict, failed_step: str | None = None) -> Plan:
    """The plan of a verdict; the empty plan where there is nothing to tune (healthy, ambiguous).

    `failed_step` is the ``error_kind`` of a start that failed.
    """
    if verdict.status != "classified":
        return NOTHING
    if verdict.outside == "startup_failure":
        return STARTUP.get(failed_step or "", NOTHING)
    if verdict.bottleneck is None:
        return BY_OUTSIDE.get(verdict.outside or "", NOTHING)
    return BY_SUB_BOUND.get((verdict.bottleneck, verdict.sub_bound or ""), BY_BOTTLENECK[verdict.bottleneck])


FOR_TTFT = Plan(
    (scheduler.more_seats, scheduler.smaller_chunks, scheduler.more_budget, memory.fp8_weights),
    scales=True,
)
FOR_RATE = Plan((scheduler.more_seats, scheduler.seats_and_pool, memory.fp8_kv_cache, memory.fp8_weights), scales=True)


def plan_for_target(metric: str) -> Plan:
    """What may bring a missed target nearer where nothing binds."""
    if metric.startswith("ttft"):
        return FOR_TTFT
    if metric == "itl_ms_p99":
        return CHUNKS_TOO_LARGE
    return DECODE_FLOOR if metric.startswith(("itl", "tpot")) else FOR_RATE
