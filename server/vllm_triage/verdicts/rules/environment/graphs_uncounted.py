"""CUDA graph memory is not counted in the KV budget.

## What happens
The pool is larger by what the graphs take later; start-up or the first steps may run out of memory.

## Why
From 0.20 the estimated memory of CUDA graphs is taken off before the pool is sized; the variable brings the older
accounting back.

## Versions
>=0.20

## Evidence
- vllm/envs.py VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS (default 0 in 0.18 and 0.19, 1 from 0.20);
  vllm/v1/worker/gpu_worker.py (0.31.0)

## Fix
Unset it.
"""

from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("advice", flags=("--gpu-memory-utilization",))
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS") != "0" or ctx.arg("enforce_eager") is True:
        return None
    return Hit(
        message="VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0 is set.",
        effect="The KV pool is sized as if CUDA graphs took nothing.",
        steps=(drop_env("VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS"),),
    )
