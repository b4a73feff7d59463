"""Speculation on the V0 engine after its workers were removed.

## What happens
The engine refuses to start.

## Why
From 0.10 drafting exists on V1 alone, while VLLM_USE_V1=0 could still be set.

## Versions
>=0.10,<0.11

## Evidence
- vllm/platforms/cuda.py and rocm.py, check_and_update_config (0.10.0 line 330 to 0.11.0 line 335): Speculative decoding is
  not supported on vLLM V0

## Fix
Unset VLLM_USE_V1.
"""

from ...context import Context
from ...engines import causes_of_v0, runs_v0
from ...rule import Hit, drop, drop_env, rule


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    if ctx.spec is None or runs_v0(ctx) is not True:
        return None
    forced = ctx.env.get("VLLM_USE_V1") == "0" and next(causes_of_v0(ctx), None) is None
    return Hit(
        message="Speculation is asked for on the V0 engine.",
        effect="vLLM stops before loading.",
        steps=(drop_env("VLLM_USE_V1"),) if forced else (drop("--speculative-config"),),
    )
