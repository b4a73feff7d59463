"""The V1 model runner is forced where a feature needs the V2 runner.

## What happens
The engine refuses to start.

## Why
Newer features exist in the V2 runner alone, and with the variable set there is no way to it.

## Versions
>=0.27

## Evidence
- vllm/config/vllm.py, VllmConfig._get_v1_model_runner_unsupported_features (0.31.0 line 3329, 0.33.0 line 3335);
  VllmConfig.__post_init__ (0.27.0 line 1492, 0.28.0 line 1603: context parallelism alone)

## Fix
Unset VLLM_USE_V2_MODEL_RUNNER.
"""

from ...context import Context
from ...rule import Hit, drop_env, rule
from ._runner import needing_v2


@rule("fatal", flags=())
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_USE_V2_MODEL_RUNNER") != "0":
        return None
    if ctx.at_least(0, 30) and ctx.given("watermark_config"):  # outranks the variable
        return None
    needing = needing_v2(ctx) if ctx.at_least(0, 29) else []
    if not ctx.at_least(0, 29) and ctx.whole("prefill_context_parallel_size", 1) > 1:
        needing = ["prefill context parallelism"]
    if not needing:
        return None
    return Hit(
        message=f"VLLM_USE_V2_MODEL_RUNNER=0 is set, and {' and '.join(needing)} needs the V2 model runner.",
        effect="vLLM stops before loading.",
        steps=(drop_env("VLLM_USE_V2_MODEL_RUNNER"),),
    )
