"""The KV pool of a CPU is left to its default.

## What happens
The pool takes a default share of the machine's memory.

## Why
On a CPU these releases size the pool by VLLM_CPU_KVCACHE_SPACE alone; --gpu-memory-utilization has no effect. Later
ones use the utilisation.

## Versions
<0.31

## Evidence
- vllm/platforms/cpu.py, CpuPlatform.get_device_total_memory and check_and_update_config (0.18.0)

## Fix
Set VLLM_CPU_KVCACHE_SPACE to the GiB the pool may take.
"""

from ...context import Context
from ...rule import Hit, rule, set_env


@rule("degraded", flags=(), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    gpu = ctx.need_gpu()
    if gpu.vendor != "cpu" or ctx.env.get("VLLM_CPU_KVCACHE_SPACE"):
        return None
    return Hit(
        message="vLLM runs on a CPU and VLLM_CPU_KVCACHE_SPACE is not set.",
        effect="The pool takes a default share of memory, whatever --gpu-memory-utilization says.",
        steps=(set_env("VLLM_CPU_KVCACHE_SPACE", "16"),),
        fix="Set `VLLM_CPU_KVCACHE_SPACE` to the GiB the pool may take, such as `VLLM_CPU_KVCACHE_SPACE=16`.",
    )
