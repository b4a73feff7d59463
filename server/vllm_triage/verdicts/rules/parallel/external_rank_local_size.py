"""Several ranks on a node where each has an external rank.

## What happens
The engine refuses to start.

## Why
A server started with its own data-parallel rank runs that rank alone.

## Versions
>=0.10

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.10.0, 0.18.0, 0.28.0 line 2143, 0.33.0 line 2477)

## Fix
Leave --data-parallel-size-local out, or at 1.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--data-parallel-size-local", "--data-parallel-rank", "--data-parallel-external-lb"))
def check(ctx: Context) -> Hit | None:
    local = ctx.arg("data_parallel_size_local")
    if not ctx.given("data_parallel_rank") or local in (None, 1):
        return None
    return Hit(
        message=f"--data-parallel-rank {ctx.arg('data_parallel_rank')} is given with --data-parallel-size-local {local}.",
        effect="vLLM stops before loading.",
        steps=(drop("--data-parallel-size-local"),),
    )
