"""A feature keeps the launch on the V1 model runner.

## What happens
The engine starts on the V1 runner and says so in a warning.

## Why
The V2 runner is the default from 0.29, and is not complete: some speculative methods and features fall back.

## Versions
>=0.29

## Evidence
- vllm/config/vllm.py, VllmConfig.use_v2_model_runner (0.31.0 line 754, 0.33.0 line 760)

## Fix
Use a method the V2 runner has (EAGLE-3, MTP; n-gram from 0.32), or set VLLM_USE_V2_MODEL_RUNNER=0 to show that it is
meant.
"""

from ...context import Context
from ...rule import Hit, rule, set_env
from ._runner import needing_v2


@rule("degraded", flags=())
def check(ctx: Context) -> Hit | None:
    told = ctx.deployment.settings.get("model_runner")
    if told is None or told.value != "v1" or told.origin != "derived":
        return None
    return Hit(
        message=f"{told.why[:1].upper()}{told.why[1:]}: vLLM {ctx.version} falls back to the V1 model runner.",
        effect="What only the V2 runner has is not available, and what is slower on V1 is slower.",
        steps=() if needing_v2(ctx) else (set_env("VLLM_USE_V2_MODEL_RUNNER", "0"),),
        fix="Take out what keeps the launch on V1." if needing_v2(ctx) else "",
    )
