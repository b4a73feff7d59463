"""--gpu-memory-utilization leaves almost nothing.

## What happens
Start-up fails if the share is not free at that moment; later an unprofiled allocation runs out of memory.

## Why
The share is checked against free memory at start, and NCCL, CUDA graphs (before 0.20) and other processes come on top
of what was profiled.

## Versions
>=0.6.6

## Evidence
- vllm/v1/worker/utils.py, request_memory (0.18.0 line 404, 0.31.0 line 539)

## Fix
Lower it to 0.95 or less.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("degraded", flags=("--gpu-memory-utilization",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("gpu_memory_utilization")
    if not isinstance(asked, (int, float)) or not 0.95 < asked <= 1 or ctx.given("kv_cache_memory_bytes"):
        return None
    return Hit(
        message=f"--gpu-memory-utilization {asked:g} leaves {1 - asked:.0%} of the device.",
        effect="Start-up stops if anything else holds memory; out-of-memory errors under load.",
        steps=(put("--gpu-memory-utilization", 0.95),),
    )
