"""Several nodes with the Ray data-parallel backend.

## What happens
The engine refuses to start.

## Why
Ray places engines itself; --nnodes is for the mp backend.

## Versions
>=0.27

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.31.0, 0.33.0)

## Fix
Take one of the two out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--nnodes", "--data-parallel-backend"))
def check(ctx: Context) -> Hit | None:
    if ctx.whole("nnodes", 1) <= 1 or ctx.arg("data_parallel_backend") != "ray":
        return None
    return Hit(
        message=f"--nnodes {ctx.whole('nnodes')} is given with --data-parallel-backend ray.",
        effect="vLLM stops before loading.",
        steps=(drop("--nnodes"),),
    )
