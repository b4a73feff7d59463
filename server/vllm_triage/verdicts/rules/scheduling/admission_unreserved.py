"""Requests are admitted before their prompt fits.

## What happens
The engine admits a request when its first chunk fits, and preempts later.

## Why
From 0.19 a request is admitted only if blocks for its whole prompt are free. Without that a full pool is
over-committed and requests evict one another.

## Versions
>=0.19

## Evidence
- vllm/v1/core/sched/scheduler.py (0.19.1 line 733, can_fit_full_sequence); vllm/v1/core/kv_cache_manager.py (0.31.0
  line 519)

## Fix
Leave --no-scheduler-reserve-full-isl out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--scheduler-reserve-full-isl",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("scheduler_reserve_full_isl") is not False:
        return None
    return Hit(
        message="--no-scheduler-reserve-full-isl admits a request before its whole prompt fits into the pool.",
        effect="More preemptions and recomputation under load.",
        steps=(drop("--scheduler-reserve-full-isl"),),
        fix="Remove `--no-scheduler-reserve-full-isl`.",
    )
