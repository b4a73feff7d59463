"""The memory share counts memory the system uses too.

## What happens
The engine may take what the operating system needs, or refuse because the system has it already.

## Why
On a device with unified memory the total that --gpu-memory-utilization multiplies is the machine's memory.

## Versions
>=0.6.6

## Evidence
- vllm/v1/worker/gpu_worker.py and vllm/utils/mem_utils.py, MemorySnapshot (0.18.0, 0.31.0)

## Fix
Leave the system several GiB: lower --gpu-memory-utilization or pin the pool with --kv-cache-memory-bytes.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("advice", flags=("--gpu-memory-utilization",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    gpu = ctx.need_gpu()
    if not gpu.unified_memory or ctx.given("gpu_memory_utilization") or ctx.given("kv_cache_memory_bytes"):
        return None
    return Hit(
        message=f"{gpu.name} shares its memory with the host; the default utilisation of "
        f"{ctx.setting('gpu_memory_utilization')} counts all of it.",
        effect="The machine may run out of memory, or start-up fails because too little is free.",
        steps=(put("--gpu-memory-utilization", 0.8),),
    )
