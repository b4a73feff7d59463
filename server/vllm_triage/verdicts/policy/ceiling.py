"""``raise-ceiling-first``: unused memory is given to the KV pool before anything else is tuned."""

from dataclasses import dataclass
from math import isfinite

from ...domain import BYTES_PER_GIB, Deployment, Json, MemoryBudget, Refusal
from ...facts.versions import at_least
from ..thresholds import CEILING

__all__ = ["PoolGain", "default_utilization", "pool_gain", "raise_ceiling_first"]


@dataclass(frozen=True, slots=True)
class PoolGain:
    """What raising the memory ceiling to the version's default adds to the KV pool."""

    to: float
    gib_per_gpu: float
    tokens: int | None
    """Tokens gained per replica; None when the bytes of a token are not known."""


def default_utilization(version: str) -> float:
    """The version's own ``--gpu-memory-utilization`` (config/cache.py: 0.9 up to 0.19.1, 0.92 from 0.20.0)."""
    return 0.92 if at_least(version, "0.20.0") else 0.9


def pool_gain(deployment: Deployment, memory: MemoryBudget | None) -> PoolGain | None:
    """The pool gained by raising the ceiling to the default: all of the added memory goes to KV cache."""
    given = _number(deployment.setting("gpu_memory_utilization"))
    total = None if memory is None else memory.budget.total_gib
    if memory is None or given is None or total is None:
        return None
    to = default_utilization(deployment.version)
    gained = (to - given) * total
    per_token = memory.kv_bytes_per_token_per_gpu
    return PoolGain(to, gained, int(gained * BYTES_PER_GIB / per_token) if per_token else None)


def raise_ceiling_first(deployment: Deployment, memory: MemoryBudget | None) -> tuple[Refusal | None, str]:
    """Refuse to tune below a utilisation of 0.70; the second value names the exception that lifts the rule."""
    given = _number(deployment.setting("gpu_memory_utilization"))
    if given is None or given >= CEILING or not deployment.was_given("gpu_memory_utilization"):
        return None, ""
    if exception := _ceiling_exception(deployment):
        return None, f"raise-ceiling-first does not apply at {given:g}: {exception}"
    gain = pool_gain(deployment, memory)
    to = default_utilization(deployment.version)
    gained = (
        "; give the GPU and the model, or the startup log, for the size of the gain"
        if gain is None
        else (
            f": {gain.gib_per_gpu:.1f} GiB per GPU"
            + (f", about {gain.tokens:,} KV tokens per replica" if gain.tokens else "")
        )
    )
    return Refusal(
        rule="raise-ceiling-first",
        message=f"--gpu-memory-utilization {given:g} is below {CEILING:.2f}. Raise it before tuning anything else: "
        f"the default of vLLM {deployment.version} is {to:g}, which adds to the KV pool{gained}.",
        ask=(
            f"Run again with --gpu-memory-utilization {to:g}",
            'Or, when another process needs that memory, say so: acknowledge ["raise-ceiling-first"]',
        ),
    ), ""


def _ceiling_exception(deployment: Deployment) -> str:
    if deployment.setting("kv_cache_memory_bytes") is not None:
        return "the pool is pinned by --kv-cache-memory-bytes, which ignores the utilisation"
    if deployment.setting("num_gpu_blocks_override") is not None or deployment.was_given("num_gpu_blocks_override"):
        return "the pool is pinned by --num-gpu-blocks-override, whatever the utilisation"
    gpu = deployment.gpu
    if gpu is not None and gpu.vendor == "cpu":
        return "the device is a CPU, whose memory the operating system shares"
    if gpu is not None and gpu.unified_memory:
        return f"the memory of {gpu.name} is unified, and the operating system shares it"
    return ""


def _number(value: Json) -> float | None:
    """The value as a number; None for what is none, ``nan`` included."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) else None
