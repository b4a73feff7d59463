"""Async scheduling with microbatches over DeepEP on ROCm.

## What happens
The engine refuses to start.

## Why
The combination can corrupt what is generated, so it is refused by name; without the flag async scheduling is off there.

## Versions
>=0.25

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.25.0, 0.28.0 line 1158, 0.33.0 line 1671)

## Fix
Take --async-scheduling out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--async-scheduling", "--enable-dbo", "--all2all-backend"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("async_scheduling") is not True or ctx.arg("enable_dbo") is not True:
        return None
    if ctx.arg("all2all_backend") != "deepep_high_throughput" or ctx.need_gpu().vendor != "amd":
        return None
    return Hit(
        message=f"--async-scheduling is given with --enable-dbo and deepep_high_throughput on {ctx.need_gpu().name}.",
        effect="vLLM stops before loading.",
        steps=(drop("--async-scheduling"),),
    )
