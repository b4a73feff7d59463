"""More local data-parallel engines than there are in all.

## What happens
The engine refuses to start.

## Why
data_parallel_size counts every engine of the deployment, the local ones among them.

## Versions
>=0.9

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.18.0 line 378, 0.31.0 line 516, 0.33.0 line
  546)

## Fix
Lower --data-parallel-size-local, or raise --data-parallel-size.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--data-parallel-size-local", "--data-parallel-size"))
def check(ctx: Context) -> Hit | None:
    local = ctx.whole("data_parallel_size_local")
    if local <= ctx.dp:
        return None
    return Hit(
        message=f"data_parallel_size_local {local} is larger than data_parallel_size {ctx.dp}.",
        effect="vLLM stops before loading.",
        steps=(put("--data-parallel-size-local", ctx.dp),),
    )
