"""Two load-balancing modes at once.

## What happens
The server refuses to start.

## Why
Requests reach the engines either from one server, from one server a node, or from outside.

## Versions
>=0.10

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.18.0 line 1585, 0.31.0 line 2278, 0.33.0 line 2384)

## Fix
Keep one of them.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--data-parallel-hybrid-lb", "--data-parallel-external-lb"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("data_parallel_hybrid_lb") is not True or ctx.arg("data_parallel_external_lb") is not True:
        return None
    return Hit(
        message="--data-parallel-hybrid-lb and --data-parallel-external-lb are both given.",
        effect="vLLM stops before loading.",
        steps=(drop("--data-parallel-external-lb"),),
    )
