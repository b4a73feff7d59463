"""External load balancing without a rank.

## What happens
The engine refuses to start.

## Why
Each server behind the balancer is one rank of the group.

## Versions
>=0.11.1

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.11.1 line 1502, 0.18.0, 0.31.0, 0.33.0)

## Fix
Add --data-parallel-rank.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--data-parallel-external-lb", "--data-parallel-rank"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("data_parallel_external_lb") is not True or ctx.given("data_parallel_rank") or ctx.dp <= 1:
        return None
    if ctx.whole("nnodes", 1) > 1 or ctx.arg("data_parallel_hybrid_lb") is True:
        return None
    return Hit(
        message="--data-parallel-external-lb is given without --data-parallel-rank.",
        effect="vLLM stops before loading.",
        steps=(put("--data-parallel-rank", 0),),
        fix="`--data-parallel-rank 0` on the first server, 1 on the second, and so on.",
    )
