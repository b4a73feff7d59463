"""Async scheduling is silently off.

## What happens
The engine starts with `async_scheduling` false; one warning in the log, or none.

## Why
Left to its default it is on, unless something in the launch does not go with it: an executor that cannot overlap,
pipeline parallelism on the V1 model runner, a pooling model, a CPU.

## Versions
>=0.14

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 lines 725-750, 0.31.0 lines 1590-1640, 0.33.0 lines 1690-1720)

## Fix
Remove the cause, or say --no-async-scheduling to show that it is meant.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--async-scheduling",))
def check(ctx: Context) -> Hit | None:
    if ctx.given("async_scheduling") or ctx.cpu:
        return None
    told = ctx.deployment.settings.get("async_scheduling")
    if told is None or told.value is not False or told.origin != "derived":
        return None
    why = told.why.removeprefix("off: ")
    if ctx.spec is not None and why.startswith("not supported with"):  # a rule about speculation tells it
        return None
    return Hit(
        message=f"Async scheduling is off in {ctx.version}: {why}.",
        effect="Each step waits for the scheduler on the CPU.",
        steps=(put("--async-scheduling", False),),
        fix=f"Remove the cause ({why}); if it is meant, say `--no-async-scheduling`.",
        changed=(("async_scheduling", True, False),),
    )
