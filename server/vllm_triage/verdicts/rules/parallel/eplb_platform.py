"""Balancing of experts on a device without it.

## What happens
The engine refuses to start.

## Why
The kernels that move experts between GPUs were written for CUDA first; ROCm has them from 0.11.1, Intel's GPUs in 0.33.

## Versions
>=0.9.2

## Evidence
- vllm/config.py, ParallelConfig.__post_init__ (0.9.2 and 0.10.0); vllm/config/parallel.py (0.10.1 to 0.33.0 line 565),
  which name the devices

## Fix
Take --enable-eplb out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-eplb",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_eplb") is not True:
        return None
    gpu = ctx.need_gpu()
    if gpu.vendor == "nvidia" or (gpu.vendor not in ("cpu", "google") and ctx.at_least(0, 11, 1)):
        return None
    told = [drop("--num-redundant-experts")] if ctx.given("num_redundant_experts") else []
    return Hit(
        message=f"--enable-eplb is given on {gpu.name}.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-eplb"), drop("--eplb-config"), *told),
    )
