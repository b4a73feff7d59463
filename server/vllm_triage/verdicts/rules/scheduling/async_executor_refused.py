"""Async scheduling on an executor without it.

## What happens
The engine refuses to start.

## Why
The executor must accept the next step before this one's result is back. The Ray executor could not until its second
version, the one in this process not before 0.11.

## Versions
>=0.10

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.10.0 line 1142, 0.10.2 line 1289): uni-process backend;
  vllm/config/vllm.py (0.11.1 line 395)
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 713, 0.31.0 line 1573, 0.33.0 line 1682)

## Fix
Take --async-scheduling out, or use the mp executor.
"""

from ...context import Context
from ...rule import Hit, drop, rule


def _cannot(ctx: Context) -> bool:
    """True while the Ray executor in force is the first one (its second version overlaps, from 0.20 on request)."""
    if ctx.at_least(0, 33):
        return False
    second = ctx.env.get("VLLM_USE_RAY_V2_EXECUTOR_BACKEND", "1" if ctx.at_least(0, 22) else "0")
    return not (ctx.at_least(0, 20) and second == "1")


def _without(ctx: Context) -> str | None:
    """The executor that cannot overlap, by name."""
    if not ctx.at_least(0, 11):
        return "uni"
    return "ray" if ctx.at_least(0, 11, 1) and _cannot(ctx) else None


@rule("fatal", flags=("--async-scheduling", "--distributed-executor-backend"))
def check(ctx: Context) -> Hit | None:
    backend = ctx.arg("distributed_executor_backend")
    if ctx.arg("async_scheduling") is not True or backend is None or backend != _without(ctx):
        return None
    return Hit(
        message=f"--async-scheduling is given with --distributed-executor-backend {backend}.",
        effect="vLLM stops before loading.",
        steps=(drop("--async-scheduling"),),
    )
