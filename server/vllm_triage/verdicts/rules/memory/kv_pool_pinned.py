"""--gpu-memory-utilization has no effect on a pinned KV pool.

## What happens
The pool has the size given; the utilisation is only compared with free memory at start-up.

## Why
--kv-cache-memory-bytes skips the formula that the utilisation belongs to.

## Versions
>=0.10.2

## Evidence
- vllm/v1/worker/gpu_worker.py, Worker.determine_available_memory (0.18.0 line 350, 0.31.0 line 571)

## Fix
Take one of the two out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("advice", flags=("--kv-cache-memory-bytes", "--gpu-memory-utilization"))
def check(ctx: Context) -> Hit | None:
    if not ctx.given("kv_cache_memory_bytes") or not ctx.given("gpu_memory_utilization"):
        return None
    return Hit(
        message=f"--kv-cache-memory-bytes {ctx.arg('kv_cache_memory_bytes')} pins the pool; "
        f"--gpu-memory-utilization {ctx.arg('gpu_memory_utilization')} does not change it.",
        effect="Tuning the utilisation moves nothing.",
        steps=(drop("--gpu-memory-utilization"),),
    )
