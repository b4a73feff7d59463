"""The nodes do not divide the ranks.

## What happens
The engine refuses to start.

## Why
Every node holds the same number of ranks.

## Versions
>=0.11.1

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.18.0 line 1602, 0.31.0 line 2300, 0.33.0)

## Fix
Use a number of nodes that divides all ranks.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--nnodes", "--tensor-parallel-size", "--data-parallel-size"))
def check(ctx: Context) -> Hit | None:
    nodes = ctx.whole("nnodes", 1)
    ranks = ctx.dp * ctx.tp * ctx.pp * (ctx.whole("prefill_context_parallel_size", 1) if ctx.at_least(0, 27) else 1)
    if nodes <= 1 or ranks % nodes == 0:
        return None
    return Hit(
        message=f"--nnodes {nodes} does not divide {ranks} rank{'s' if ranks > 1 else ''}.",
        effect="vLLM stops before loading.",
        steps=(drop("--nnodes"),),
    )
