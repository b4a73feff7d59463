"""The node rank is not below the number of nodes.

## What happens
The engine refuses to start.

## Why
Nodes count from 0.

## Versions
>=0.27

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.31.0, 0.33.0)

## Fix
Use a rank from 0 to the number of nodes less one.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--node-rank", "--nnodes"))
def check(ctx: Context) -> Hit | None:
    nodes, rank = ctx.whole("nnodes", 1), ctx.whole("node_rank")
    if nodes <= 1 or 0 <= rank < nodes:
        return None
    return Hit(
        message=f"--node-rank {rank} is not below --nnodes {nodes}.",
        effect="vLLM stops before loading.",
        steps=(put("--node-rank", 0),),
    )
