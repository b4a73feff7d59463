"""Elastic expert parallelism with pipeline stages.

## What happens
The engine refuses to start.

## Why
Stages cannot be resized.

## Versions
>=0.17

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ (0.18.0 line 703, 0.31.0 line 913, 0.33.0 line 978)

## Fix
Use tensor and data parallelism only.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-elastic-ep", "--pipeline-parallel-size"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_elastic_ep") is not True or ctx.pp <= 1:
        return None
    return Hit(
        message=f"--enable-elastic-ep is given with pipeline parallel size {ctx.pp}.",
        effect="vLLM stops before loading.",
        steps=(drop("--pipeline-parallel-size"),),
    )
