"""Hybrid load balancing without the local size.

## What happens
The engine refuses to start.

## Why
The front-end of a node must know how many engines are its own.

## Versions
>=0.10

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.18.0, 0.31.0, 0.33.0)

## Fix
Add --data-parallel-size-local.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--data-parallel-hybrid-lb", "--data-parallel-size-local"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("data_parallel_hybrid_lb") is not True or ctx.given("data_parallel_size_local"):
        return None
    if ctx.given("data_parallel_rank") or ctx.arg("data_parallel_external_lb") is True:
        return None
    if ctx.whole("nnodes", 1) > 1 and ctx.at_least(0, 17):  # inferred from the nodes
        return None
    return Hit(
        message="--data-parallel-hybrid-lb is given without --data-parallel-size-local.",
        effect="vLLM stops before loading.",
        steps=(put("--data-parallel-size-local", ctx.dp),),
    )
