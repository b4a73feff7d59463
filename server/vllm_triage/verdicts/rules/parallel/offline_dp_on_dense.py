"""Offline data parallelism of a dense model.

## What happens
The engine refuses to start.

## Why
VLLM_DP_SIZE runs engines in lockstep, which only experts need.

## Versions
>=0.14

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ (0.18.0 line 747, 0.31.0 line 966, 0.33.0 line 1031)

## Fix
Unset VLLM_DP_SIZE and run independent processes.
"""

from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("fatal", flags=(), needs=("model",))
def check(ctx: Context) -> Hit | None:
    size = ctx.env.get("VLLM_DP_SIZE", "1")
    if not size.isdigit() or int(size) <= 1 or ctx.dp > 1:
        return None
    model = ctx.need_model()
    if model.moe is not None:
        return None
    return Hit(
        message=f"VLLM_DP_SIZE={size} is set for {model.id}, a dense model.",
        effect="vLLM stops before loading.",
        steps=(drop_env("VLLM_DP_SIZE"),),
    )
