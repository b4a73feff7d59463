"""A context-parallel exchange without context parallelism.

## What happens
The engine refuses to start.

## Why
There is nobody to exchange with.

## Versions
>=0.18,<0.29

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.18.0 line 423; gone in 0.29)

## Fix
Take --dcp-comm-backend out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--dcp-comm-backend", "--decode-context-parallel-size"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("dcp_comm_backend") != "a2a" or ctx.dcp > 1:
        return None
    return Hit(
        message="--dcp-comm-backend a2a is given with decode context parallel size 1.",
        effect="vLLM stops before loading.",
        steps=(drop("--dcp-comm-backend"),),
    )
