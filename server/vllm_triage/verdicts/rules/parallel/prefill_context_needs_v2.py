"""Prefill context parallelism on the V1 model runner.

## What happens
The engine refuses to start.

## Why
Only the V2 runner splits a prompt over ranks. What it does not support, such as n-gram drafting, leaves the launch on
V1.

## Versions
>=0.29

## Evidence
- vllm/config/vllm.py, VllmConfig._get_v1_model_runner_unsupported_features (0.29.0, 0.31.0 line 3105, 0.33.0 line
  3089)
- create_engine_config of 0.31.0 with n-gram drafting and `--prefill-context-parallel-size 2`

## Fix
Take --prefill-context-parallel-size out, or what keeps the launch on the V1 runner.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--prefill-context-parallel-size",))
def check(ctx: Context) -> Hit | None:
    ranks = ctx.whole("prefill_context_parallel_size", 1)
    runner = ctx.deployment.settings.get("model_runner")
    if ranks <= 1 or runner is None or runner.value != "v1":
        return None
    return Hit(
        message=f"--prefill-context-parallel-size {ranks} is given on the V1 model runner"
        f"{f' ({runner.why})' if runner.why else ''}.",
        effect="vLLM stops before loading.",
        steps=(drop("--prefill-context-parallel-size"),),
    )
