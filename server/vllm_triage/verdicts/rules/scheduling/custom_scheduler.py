"""A custom scheduler class.

## What happens
A warning: the interface is not public.

## Why
A class derived from Scheduler instead of AsyncScheduler also loses async scheduling.

## Versions
>=0.11

## Evidence
- vllm/config/scheduler.py, SchedulerConfig.get_scheduler_cls (0.18.0 line 173, 0.31.0 line 245, 0.33.0 line 247)

## Fix
Leave --scheduler-cls out unless the class is yours to maintain.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("advice", flags=("--scheduler-cls",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("scheduler_cls")
    if not isinstance(asked, str) or asked.startswith("vllm."):
        return None
    return Hit(
        message=f"--scheduler-cls {asked} replaces vLLM's scheduler.",
        effect="Every upgrade may break it; diagnoses of the built-in scheduler need not hold.",
        steps=(drop("--scheduler-cls"),),
    )
