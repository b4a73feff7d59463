"""House rule: raise --gpu-memory-utilization before tuning anything else.

## What happens
Below 0.70 this product does not tune further: the KV pool is small because it was told to be.

## Why
The flag caps what vLLM may use of the whole device: weights, activations, graphs and KV cache. What is left of it
after the weights is the KV pool, so the last tenths are almost all pool. It does not apply when the pool is pinned by
--kv-cache-memory-bytes (which ignores the flag), when memory is unified with the host, or when the GPU is shared on
purpose.

## Versions
all

## Evidence
- house rule raise-ceiling-first
- vllm/v1/worker/gpu_worker.py, Worker.determine_available_memory (0.18.0 lines 350-441, 0.31.0 lines 571-740)

## Fix
Raise --gpu-memory-utilization to the version's default, or say that the GPU is shared.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("advice", flags=("--gpu-memory-utilization",), basis="policy")
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("gpu_memory_utilization")
    if not isinstance(asked, (int, float)) or not 0 < asked < 0.70 or ctx.given("kv_cache_memory_bytes"):
        return None
    if ctx.gpu is not None and ctx.gpu.unified_memory:
        return None
    usual = 0.92 if ctx.at_least(0, 20) else 0.9
    return Hit(
        message=f"--gpu-memory-utilization {asked} leaves {1 - asked:.0%} of the device unused; the default is "
        f"{usual}.",
        effect="The KV pool gets what the weights leave of that share, so requests queue or are preempted early.",
        steps=(put("--gpu-memory-utilization", usual),),
        fix=f"`--gpu-memory-utilization {usual}`; or acknowledge `raise-ceiling-first` when the GPU is shared on "
        "purpose.",
    )
