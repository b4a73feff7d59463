"""Async scheduling on an executor without it.

## What happens
The engine refuses to start.

## Why
The executor must accept the next step before this one's result is back. The Ray executor could not until its second
version.

## Versions
>=0.14

## Evidence
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


@rule("fatal", flags=("--async-scheduling", "--distributed-executor-backend"))
def check(ctx: Context) -> Hit | None:
    backend = ctx.arg("distributed_executor_backend")
    if ctx.arg("async_scheduling") is not True or backend != "ray" or not _cannot(ctx):
        return None
    return Hit(
        message=f"--async-scheduling is given with --distributed-executor-backend {backend}.",
        effect="vLLM stops before loading.",
        steps=(drop("--async-scheduling"),),
    )
