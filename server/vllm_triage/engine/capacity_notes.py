"""What holds requests and what only looks as if it did: pinned pools, unified memory, offloading, cached prefixes."""

from collections.abc import Iterator

from ..domain import BYTES_PER_GIB, Deployment
from .budget import Terms, offloaded
from .sizing import Sizing

__all__ = ["capacity_notes", "pinned_gib"]


def pinned_gib(deployment: Deployment) -> float | None:
    """``--kv-cache-memory-bytes`` in GiB; None where it is not given. It ignores the utilisation."""
    pinned = deployment.setting("kv_cache_memory_bytes")
    if isinstance(pinned, int) and not isinstance(pinned, bool) and pinned > 0:
        return pinned / BYTES_PER_GIB
    return None


def capacity_notes(deployment: Deployment, sizing: Sizing, terms: Terms | None) -> Iterator[str]:
    """One sentence for each thing that adds to the pool, or seems to.

    Sources: ``kv_cache_memory_bytes`` and ``kv_offloading_size`` of CacheConfig (config/cache.py),
    ``determine_available_memory`` (v1/worker/gpu_worker.py), ``_post_init_kv_transfer_config`` (config/vllm.py).
    """
    yield from pinned_notes(deployment, terms)
    gpu = deployment.gpu
    if gpu is not None and gpu.unified_memory:
        yield (
            "unified memory: the pool competes with the operating system and every other process for the same memory; "
            "a utilisation counts what they hold as well, and offloading to the host frees nothing"
        )
    yield from offload_notes(deployment, sizing)


def pinned_notes(deployment: Deployment, terms: Terms | None) -> Iterator[str]:
    """A pool of given bytes, and whether the device holds it beside the rest."""
    pinned = pinned_gib(deployment)
    if pinned is None:
        return
    note = (
        f"--kv-cache-memory-bytes fixes the pool at {pinned:.2f} GiB: --gpu-memory-utilization does not change it, and "
        "vLLM does not check that the rest fits"
    )
    if terms is not None:
        rest = sum(term.gib for term in (terms.weights, terms.activation, terms.non_torch, terms.cuda_graphs))
        left = terms.device.total - rest - pinned
        kind = "leaves" if left >= 0 else "is more than the device has: it lacks"
        note += (
            f"; beside {rest:.1f} GiB of weights, step and graphs it {kind} {abs(left):.1f} of {terms.device.total:.1f}"
        )
    yield note


def offload_notes(deployment: Deployment, sizing: Sizing) -> Iterator[str]:
    """Weights and KV cache kept in host memory, or elsewhere."""
    if weights := offloaded(deployment):
        yield (
            f"--cpu-offload-gb keeps {weights:g} GiB of weights per GPU in host memory: the pool grows by as much, and "
            "every step copies them over the bus again"
        )
    size = deployment.setting("kv_offloading_size")
    each = sizing.bytes_per_token(sizing.layout.tensor_parallel) * sizing.layout.tensor_parallel
    if isinstance(size, int | float) and not isinstance(size, bool) and size > 0:
        holds = f" (about {int(size * BYTES_PER_GIB / each):,} tokens)" if each else ""
        yield (
            f"KV offloading keeps {size:g} GiB{holds} of evicted prefixes in host memory: a prompt that returns is copied "
            "back instead of computed again; it holds no running request, and adds nothing to how many fit"
        )
    elif deployment.args.get("kv_transfer_config"):
        yield (
            "a KV connector stores or moves the cache of prompts: it saves computing them again, holds no running "
            "request, and adds nothing to how many fit"
        )
    if deployment.args.get("swap_space"):
        yield "--swap-space holds no running request in the V1 engine: a preempted request is computed again"
