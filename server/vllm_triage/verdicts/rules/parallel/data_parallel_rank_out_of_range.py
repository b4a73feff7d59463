"""The data-parallel rank is not below the size.

## What happens
The engine refuses to start.

## Why
Ranks count from 0.

## Versions
>=0.9.2

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ (vllm/config.py 0.9.2 line 1969; 0.18.0, 0.31.0, 0.33.0)

## Fix
Use a rank from 0 to the size less one.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--data-parallel-rank", "--data-parallel-size"))
def check(ctx: Context) -> Hit | None:
    rank = ctx.arg("data_parallel_rank")
    if not isinstance(rank, int) or ctx.dp <= 1 or 0 <= rank < ctx.dp:
        return None
    return Hit(
        message=f"--data-parallel-rank {rank} is not below --data-parallel-size {ctx.dp}.",
        effect="vLLM stops before loading.",
        steps=(put("--data-parallel-rank", 0),),
    )
