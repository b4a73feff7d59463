"""Async scheduling with pipeline parallelism where it is not built.

## What happens
The engine refuses to start.

## Why
Until 0.14 it was not written. It runs from 0.15, but structured output breaks in that combination, and from 0.31 the V1
runner refuses it; the V2 runner, the default where Triton is installed and every feature is supported, runs it.

## Versions
>=0.10

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.10.0 line 1145, 0.11.0 line 1296); vllm/config/vllm.py,
  VllmConfig.__post_init__ (0.11.1 line 374, 0.14.1 line 565)
- vllm/config/vllm.py, VllmConfig._get_v1_model_runner_unsupported_features (0.31.0, 0.33.0)
- create_engine_config of 0.31.0 to 0.33.0 without Triton
- https://github.com/vllm-project/vllm/issues/45014

## Fix
Take --async-scheduling out, or what keeps the launch on the V1 runner.
"""

from ...context import Context
from ...rule import Hit, drop, rule


def _because(ctx: Context) -> str:
    told = ctx.deployment.settings.get("model_runner")
    return f" ({told.why})" if told is not None and told.why else ""


@rule("fatal", flags=("--async-scheduling", "--pipeline-parallel-size"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("async_scheduling") is not True or ctx.pp <= 1:
        return None
    if not ctx.at_least(0, 15):
        return Hit(
            message=f"--async-scheduling is given with pipeline parallel size {ctx.pp}.",
            effect="vLLM stops before loading: the two are not yet compatible.",
            steps=(drop("--async-scheduling"),),
        )
    if not ctx.at_least(0, 31) or ctx.setting("model_runner") != "v1":
        return None
    return Hit(
        message=f"--async-scheduling is given with pipeline parallel size {ctx.pp} on the V1 model runner"
        f"{_because(ctx)}.",
        effect="vLLM stops before loading.",
        steps=(drop("--async-scheduling"),),
    )
