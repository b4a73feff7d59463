"""The five bottlenecks and what lies outside them, each in a few sentences: read by ``explain`` and by the skill."""

from dataclasses import dataclass

__all__ = ["CLASSES", "ClassNote"]


@dataclass(frozen=True, slots=True)
class ClassNote:
    """One class of the verdict."""

    name: str
    title: str
    means: str
    shows: str
    """What confirms it."""
    refuted_by: str
    turn: str
    """The knobs, least harm first."""
    useless: str
    """What people try in vain."""
    bottleneck: bool = True
    """False for a cause outside the five."""


_NOTES = (
    ClassNote(
        "kv_starvation", "KV block starvation",
        "The KV pool exists and is full of admitted work: new requests wait for blocks, running ones may be "
        "preempted.",
        "Sequences decoding at once (output rate x TPOT) sit at the seats of the pool, tokens / (input + 0.75 "
        "output), and below max_num_seqs and the offered concurrency; KV usage at 0.9 or more with waiting "
        "requests or a preemption rate.",
        "KV usage under 0.8 while requests wait; seats well above what is running.",
        "Unpin or widen the pool, raise --gpu-memory-utilization, FP8 KV cache, fewer --max-num-seqs to stop "
        "preemption, FP8 weights.",
        "More --max-num-seqs, a shorter --max-model-len (blocks are handed out as requests grow), prefix "
        "caching off.",
    ),
    ClassNote(
        "queue_stall", "WAITING queue stall",
        "Requests wait although the pool has room: the scheduler's own seats or its token budget are spent.",
        "Sequences decoding at once sit at max_num_seqs, the pool holds more, and concurrency is higher; "
        "waiting stays above zero, queue time makes up the TTFT, TPOT stays near its floor.",
        "Nothing waits, or what waits is deferred (adapters, KV transfer, grammars) and not held for capacity.",
        "Raise --max-num-seqs to what the pool holds, then --max-num-batched-tokens.",
        "A larger pool; replicas, while this one has idle memory behind its own cap.",
    ),
    ClassNote(
        "chunked_prefill_missized", "chunked prefill mis-sized",
        "The token budget per step does not fit the traffic. Too large: a step that carries a whole budget of "
        "prompt stalls every running stream (P99 ITL). Too small: a prompt takes many steps (TTFT) while "
        "nothing waits and the pool is free.",
        "Too large: P99 ITL several times the median and near the time of one full-budget step. Too small: "
        "prompts longer than the budget, TTFT near the number of chunks x step time.",
        "Short prompts; preemption, which makes the same spikes.",
        "Too large: lower --max-num-batched-tokens or cap long prompts. Too small: raise it.",
        "More --max-num-seqs or a larger pool.",
    ),
    ClassNote(
        "decode_bound", "decode at its floor",
        "Every stream decodes as fast as the hardware moves the bytes (or does the FLOPs) of a step; nothing in"
        " the scheduler is short.",
        "All offered requests are running, nothing waits, TTFT is small, TPOT is near the floor. sub_bound says"
        " which floor: bandwidth, compute, kv_reads or overhead.",
        "Requests wait; TPOT far above the floor at batch 1 (then: throttled clock, eager mode, slow link, CPU).",
        "Smaller weights or KV cache (FP8), speculation while compute is idle, CUDA graphs and async scheduling"
        " against overhead.",
        "Scheduler flags.",
    ),
    ClassNote(
        "hbm_bound", "HBM-bound",
        "The weights leave no room for the batch: the pool holds fewer than a few requests.",
        "Seats in the pool under about two, far below the concurrency; or the launch fails for want of KV memory.",
        "Seats for four requests or more.",
        "FP8 or other quantised weights, FP8 KV cache, raise --gpu-memory-utilization, a smaller token budget; "
        "then more GPUs.",
        "More --max-num-seqs or --max-num-batched-tokens.",
    ),
    ClassNote(
        "client_or_upstream", "client or upstream",
        "Fewer requests reach vLLM than the client believes it sends.",
        "Running plus waiting is below the offered concurrency; output rate x time per request does not add up "
        "to it.",
        "Requests wait inside the server.",
        "Look at client tokenisation, the client's Python GIL, connection limits, serialised requests, gateways.",
        "Any engine flag.",
        bottleneck=False,
    ),
    ClassNote(
        "prefill_compute_bound", "prefill compute-bound",
        "The GPUs are busy computing prompts.",
        "The token rate (mostly input) needs a third or more of the peak FLOPs while requests wait.",
        "A low share of peak FLOPs.",
        "Prefix caching, quantised weights, shorter prompts; then more GPUs.",
        "Decode or KV-cache flags.",
        bottleneck=False,
    ),
    ClassNote(
        "interconnect", "interconnect",
        "Steps wait for the link between the GPUs.",
        "Tensor parallelism over PCIe or Ethernet and TPOT far above the floor.",
        "One GPU, or NVLink with TPOT near the floor.",
        "Fewer tensor-parallel ranks, pipeline or data parallelism instead.",
        "Scheduler flags.",
        bottleneck=False,
    ),
    ClassNote(
        "host_overhead", "host overhead",
        "The CPU cannot feed the GPU: launches, scheduling, tokenisation or sampling take the step.",
        "TPOT several times the floor at small batches.",
        "TPOT near the floor.",
        "CUDA graphs on (no --enforce-eager), async scheduling, more CPU for the front end.",
        "A larger pool or more seats.",
        bottleneck=False,
    ),
    ClassNote(
        "startup_failure", "startup failure",
        "The server does not start, or dies out of GPU memory while it serves: there is nothing to tune yet.",
        "The pasted log ends in an error.",
        "The server answers.",
        "What the error names; check_compat and estimate_kv_bytes say how.",
        "Everything else.",
        bottleneck=False,
    ),
)

CLASSES: dict[str, ClassNote] = {note.name: note for note in _NOTES}
"""By name, the five first."""
