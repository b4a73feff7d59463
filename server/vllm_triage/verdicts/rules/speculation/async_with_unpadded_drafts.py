"""disable_padded_drafter_batch against async scheduling.

## What happens
With --async-scheduling the engine refuses to start.

## Why
Async scheduling needs draft batches of a fixed shape, which is what the padding gives.

## Versions
>=0.14

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 708, 0.31.0 line 1568)

## Fix
Take disable_padded_drafter_batch out.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--async-scheduling", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if ctx.at_least(0, 33) and ctx.setting("model_runner") != "v1":
        return None
    if spec is None or spec.raw.get("disable_padded_drafter_batch") is not True:
        return None
    if ctx.arg("async_scheduling") is not True:
        return None
    return Hit(
        message="disable_padded_drafter_batch is true while --async-scheduling is given.",
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(disable_padded_drafter_batch=None)),),
    )
