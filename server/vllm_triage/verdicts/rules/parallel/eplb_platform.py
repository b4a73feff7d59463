"""Expert load balancing on a platform without it.

## What happens
The engine refuses to start.

## Why
Weights of experts are moved between GPUs by collectives that exist for CUDA and ROCm (and Intel's GPUs in 0.33).

## Versions
>=0.9.2

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.28.0, 0.33.0 line 565); vllm/config.py,
  ParallelConfig.__post_init__ (0.9.2)

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
    if gpu.vendor not in ("cpu", "google"):
        return None
    return Hit(
        message=f"--enable-eplb is given on {gpu.name}.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-eplb"), drop("--eplb-config")),
    )
