"""External load balancing without data parallelism.

## What happens
The engine refuses to start.

## Why
There is only one engine to balance over.

## Versions
>=0.9

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.18.0 line 384, 0.31.0 line 522, 0.33.0 line
  552)

## Fix
Take the flag out, or raise --data-parallel-size.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--data-parallel-external-lb", "--data-parallel-size"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("data_parallel_external_lb") is not True or ctx.dp > 1:
        return None
    return Hit(
        message=f"--data-parallel-external-lb is given with data parallel size {ctx.dp}.",
        effect="vLLM stops before loading.",
        steps=(drop("--data-parallel-external-lb"),),
    )
