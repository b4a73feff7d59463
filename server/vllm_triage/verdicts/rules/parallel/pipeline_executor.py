"""Pipeline parallelism on an executor that cannot run it.

## What happens
The engine refuses to start.

## Why
Stages are separate processes, so one in-process worker (`uni`) cannot hold them.

## Versions
>=0.10

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._check_feature_supported (0.18.0 line 1976, 0.31.0 line 2826, 0.33.0 line 2937)
- create_engine_config of 0.18.0 to 0.33.0 on `--pipeline-parallel-size 4 --distributed-executor-backend uni`

## Fix
Leave --distributed-executor-backend out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--pipeline-parallel-size", "--distributed-executor-backend"))
def check(ctx: Context) -> Hit | None:
    backend = ctx.arg("distributed_executor_backend")
    if ctx.pp <= 1 or backend != "uni":
        return None
    return Hit(
        message=f"Pipeline parallel size {ctx.pp} is given with --distributed-executor-backend {backend}.",
        effect="vLLM stops before loading.",
        steps=(drop("--distributed-executor-backend"),),
    )
