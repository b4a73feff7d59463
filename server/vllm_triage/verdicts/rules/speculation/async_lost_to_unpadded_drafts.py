"""disable_padded_drafter_batch silently turns async scheduling off.

## What happens
The engine starts with `async_scheduling` false and one warning in the log.

## Why
Async scheduling needs draft batches of a fixed shape.

## Versions
>=0.14

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 736, 0.31.0 line 1606)

## Fix
Take disable_padded_drafter_batch out.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ._async import supports_async


@rule("silent", flags=("--async-scheduling", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if ctx.at_least(0, 33) and ctx.setting("model_runner") != "v1":
        return None
    if spec is None or spec.raw.get("disable_padded_drafter_batch") is not True or ctx.given("async_scheduling"):
        return None
    if not supports_async(spec.method, ctx, explicit=False):
        return None
    return Hit(
        message="disable_padded_drafter_batch is true, so async scheduling is switched off.",
        effect="Each step waits for the scheduler on the CPU.",
        steps=(put("--speculative-config", spec.but(disable_padded_drafter_batch=None)),),
        changed=(("async_scheduling", True, False),),
    )
