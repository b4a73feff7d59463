"""Least times of the two kinds of step: one token for each running sequence, and a full budget of prompt tokens.

Peak rates only. A decode step reads the weights it needs once and the KV cache of every running sequence; it also
multiplies each token with every active parameter. Memory and arithmetic overlap, so the longer of the two counts; the
collectives of tensor parallelism come on top.
"""

from dataclasses import dataclass
from typing import Literal

from ..domain import MemoryBudget, ModelShape
from .efficiency import COLLECTIVE_LATENCY_MS, Band
from .machine import Machine

__all__ = ["DecodeStep", "chunk_step_ms", "decode_step", "prefill_floor_ms", "saturation_batch"]

ACTIVATION_BYTES = 2
"""Bytes per element of what the all-reduce moves."""


@dataclass(frozen=True, slots=True)
class DecodeStep:
    """Parts of one decode step, ms, at peak rates. `floor` is None where the memory rate or the weights are unknown."""

    weights: float | None
    kv_reads: float | None
    compute: float | None
    collectives: float | None
    floor: float | None
    bound: Literal["bandwidth", "compute", "kv_reads"] | None


def decode_step(
    box: Machine, model: ModelShape | None, memory: MemoryBudget | None, sequences: float, context: float | None
) -> DecodeStep:
    """One step of `sequences` sequences (over all replicas) that each hold `context` tokens."""
    each = max(1.0, sequences / box.dp)
    tokens = each * (1 + box.drafts)
    read = box.weights_read(tokens * box.experts_over)
    weights = None if read is None or box.bandwidth is None else 1e3 * read / box.bandwidth
    kv_bytes = _kv_bytes(box, model, memory, context)
    kv = None if kv_bytes is None or box.bandwidth is None else 1e3 * each * kv_bytes / box.bandwidth
    compute = None
    if box.active is not None and box.peak is not None:
        compute = 1e3 * 2 * box.active * tokens / (box.tp * box.peak)
    link = _collectives_ms(box, tokens)
    if weights is None:
        return DecodeStep(weights, kv, compute, link, None, None)
    memory_side = weights + (kv or 0.0)
    if compute is not None and compute > memory_side:
        return DecodeStep(weights, kv, compute, link, compute + (link or 0.0), "compute")
    bound: Literal["bandwidth", "kv_reads"] = "kv_reads" if kv is not None and kv > weights else "bandwidth"
    return DecodeStep(weights, kv, compute, link, memory_side + (link or 0.0), bound)


def prefill_floor_ms(box: Machine, tokens: float | None, cached: float) -> float | None:
    """Least time to prefill one prompt of `tokens` tokens, a share `cached` of which is in the prefix cache."""
    if tokens is None or box.active is None or box.peak is None:
        return None
    new = tokens * (1 - cached)
    pairs = new * (tokens - new / 2)
    return 1e3 * (2 * box.active * new + box.attention_flops * pairs) / (box.tp * box.pp * box.peak)


def chunk_step_ms(box: Machine, tokens: int | None, share: Band) -> float | None:
    """Expected time of a step of `tokens` prompt tokens: 2 x active parameters x tokens / (GPUs x peak x share)."""
    if tokens is None or box.active is None or box.peak is None:
        return None
    return 1e3 * 2 * box.active * tokens / (box.tp * box.peak * share.mid)


def saturation_batch(box: Machine) -> float | None:
    """Tokens per step at which the arithmetic takes as long as reading all weights."""
    if box.weight_bytes is None or box.active is None or box.peak is None or box.bandwidth is None:
        return None
    return box.weight_bytes * (1 - box.unread_share) * box.tp * box.peak / (2 * box.active * box.bandwidth)


def _kv_bytes(
    box: Machine, model: ModelShape | None, memory: MemoryBudget | None, context: float | None
) -> float | None:
    """Bytes of cache a step reads for one sequence on the GPUs its token passes: growing part, windows, state."""
    if memory is None or memory.kv_bytes_per_token_per_gpu is None or context is None:
        return None
    grown = memory.kv_bytes_per_token_per_gpu * context
    state = 2.0 * memory.state_bytes_per_sequence / box.tp  # read and written back
    return box.pp * grown + _window_bytes(model, box.tp, context) + state


def _window_bytes(model: ModelShape | None, tp: int, context: float) -> float:
    """Bytes of the layers that keep a window only, which the growing part leaves out; two bytes an element."""
    if model is None:
        return 0.0
    return sum(
        run.count
        * max(1.0, run.kv_heads / tp)
        * (run.head_dim + (run.head_dim_v or run.head_dim))
        * 2.0
        * min(context, run.window or context)
        for run in model.runs
        if run.kind in ("sliding_window", "chunked_local")
    )


def _collectives_ms(box: Machine, tokens: float) -> float | None:
    """Two all-reduces a layer: each moves 2(n-1)/n of the activations, and is never faster than the link's latency."""
    if box.tp == 1:
        return 0.0
    if box.link is None or not box.layers:
        return None
    moved = 2 * (box.tp - 1) / box.tp * tokens * box.hidden * ACTIVATION_BYTES
    return 2 * box.layers * max(COLLECTIVE_LATENCY_MS, 1e3 * moved / box.link)
