"""Nouns in words: the phrases every answer and the report share, so that each is written once."""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a tool that sizes or reads a launch meets no diagnosis
    from ..domain import Deployment, Diagnosis, Json, MemoryBudget, Roofline, Verdict

__all__ = [
    "BOTTLENECK_NAMES",
    "OUTSIDE_NAMES",
    "arithmetic_line",
    "count",
    "gpu_words",
    "memory_words",
    "no_advice_words",
    "shown",
    "verdict_words",
]

BOTTLENECK_NAMES = {
    "kv_starvation": "KV block starvation",
    "queue_stall": "WAITING queue stall",
    "chunked_prefill_missized": "chunked prefill mis-sized",
    "decode_bound": "decode at its floor",
    "hbm_bound": "HBM-bound: no room for the batch",
}
OUTSIDE_NAMES = {
    "client_or_upstream": "the limit is the client or something upstream of vLLM",
    "prefill_compute_bound": "prefill is compute-bound",
    "interconnect": "the link between the GPUs",
    "host_overhead": "overhead of the host CPU",
    "startup_failure": "the server does not start, or does not stay up",
}
SUB_BOUND_NAMES = {
    "bandwidth": "memory bandwidth",
    "compute": "compute",
    "kv_reads": "KV-cache reads",
    "overhead": "launch and host overhead",
    "budget_too_large": "token budget too large",
    "budget_too_small": "token budget too small",
    "seats": "max_num_seqs",
    "budget": "token budget",
    "out_of_memory": "out of GPU memory",
}
LONGEST_VALUE = 80


def shown(value: "Json") -> str:
    """A flag's value as a person would type it, cut to one cell."""
    if value is None:
        return "unset"
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


def count(value: float) -> str:
    """A number with as many digits as it carries: 0.3, 6.8, 717, 442,368."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def gpu_words(deployment: "Deployment") -> str:
    """The accelerator with its count, or that it is not known."""
    if deployment.gpu is None:
        return "not given"
    count_ = f"{deployment.gpu_count}x " if deployment.gpu_count and deployment.gpu_count > 1 else ""
    return f"{count_}{deployment.gpu.name}"


def verdict_words(verdict: "Verdict") -> str:
    """The verdict in one line: what binds, how sure."""
    if verdict.status == "refused":
        return "No bottleneck named: " + ", ".join(r.rule for r in verdict.refusals if not r.acknowledged)
    if verdict.status == "healthy":
        return f"Healthy: nothing binds (confidence {verdict.confidence:.2f})"
    leading = (
        BOTTLENECK_NAMES[verdict.bottleneck] if verdict.bottleneck else OUTSIDE_NAMES.get(verdict.outside or "", "")
    )
    sub = f" ({SUB_BOUND_NAMES[verdict.sub_bound]})" if verdict.sub_bound else ""
    if verdict.status == "ambiguous":
        return f"Ambiguous{': perhaps ' + leading + sub if leading else ''}; one measurement decides"
    return f"{leading}{sub}, confidence {verdict.confidence:.2f}"


def memory_words(memory: "MemoryBudget | None") -> str:
    """Bytes per token, pool and seats in one line; empty when nothing is known."""
    if memory is None or memory.kv_bytes_per_token is None:
        return ""
    parts = [f"KV cache {memory.kv_bytes_per_token:,} bytes a token"]
    pool = memory.pool
    if pool is not None and pool.tokens:
        parts.append(f"pool {pool.tokens:,} tokens ({pool.basis})")
        if pool.max_concurrency and pool.max_model_len:
            parts.append(f"{pool.max_concurrency:.2f} requests of {pool.max_model_len:,} tokens at once")
    if memory.capacity is not None:
        c = memory.capacity
        parts.append(f"{count(c.requests)} requests of {c.input_tokens:,}+{c.output_tokens:,}")
    return "Memory: " + ", ".join(parts) + "."


def arithmetic_line(roofline: "Roofline") -> str:
    """R, seats, budget and floors, as far as they are known."""
    told = (
        ("R (decoding at once)", roofline.running, ""),
        ("N (in the system)", roofline.in_system, ""),
        ("KV seats", roofline.seats_kv, ""),
        ("scheduler seats", roofline.seats_scheduler, ""),
        ("token budget", roofline.token_budget, ""),
        ("decode floor", roofline.decode_floor_ms, " ms"),
        ("full-budget step", roofline.chunk_step_ms, " ms"),
    )
    return ", ".join(f"{name} {count(value)}{unit}" for name, value, unit in told if value is not None)


def no_advice_words(diagnosis: "Diagnosis") -> str:
    """Why a page carries no recommendation."""
    verdict = diagnosis.verdict
    if [r for r in diagnosis.refusals if not r.acknowledged]:
        return "a house rule stops the tuning (above); give what it asks for first."
    if verdict.status == "healthy":
        return "nothing binds, and a change would only move the limit."
    if verdict.status == "ambiguous":
        return "the evidence allows more than one cause; measure first (below)."
    if verdict.outside == "startup_failure":
        return f"the error names what to change: {startup_error(diagnosis)}"
    if diagnosis.untried:
        return "what may help cannot be tried on what is known (below)."
    return "no flag of this version moves this limit."


def startup_error(diagnosis: "Diagnosis") -> str:
    """The failing start's own words."""
    pool = diagnosis.observation.pool
    return (pool.error if pool is not None else None) or "see the log"
