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

_EXTERNAL = (
    ("--data-parallel-external-lb", "data_parallel_external_lb"),
    ("--data-parallel-rank", "data_parallel_rank"),
)
"""A rank means an external balancer too."""


@rule("fatal", flags=("--data-parallel-external-lb", "--data-parallel-size"))
def check(ctx: Context) -> Hit | None:
    given = [flag for flag, dest in _EXTERNAL if ctx.arg(dest) is not None and ctx.arg(dest) is not False]
    if not given or ctx.dp > 1:
        return None
    return Hit(
        message=f"{' and '.join(given)} given with data parallel size {ctx.dp}.",
        effect="vLLM stops before loading.",
        flags=(*given, "--data-parallel-size"),
        steps=tuple(drop(flag) for flag in given),
    )
