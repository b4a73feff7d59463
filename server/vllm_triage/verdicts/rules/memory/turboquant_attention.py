"""TurboQuant KV cache forces FlashAttention 2.

## What happens
The engine starts with FlashAttention 2 and a warning.

## Why
Layers at the border stay in the native type and run on FlashAttention; version 3 does not accept the mix.

## Versions
>=0.20

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.31.0 line 2650, 0.33.0 line 2759)

## Fix
Say --attention-config.flash_attn_version=2 to show that it is meant.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--kv-cache-dtype",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if not isinstance(asked, str) or not asked.startswith("turboquant_"):
        return None
    config = ctx.mapping("attention_config")
    version = config.get("flash_attn_version")
    if isinstance(version, int) and version < 3:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} runs with FlashAttention 2 only.",
        effect="Attention is slower than with FlashAttention 3 on Hopper.",
        steps=(put("--attention-config", {**config, "flash_attn_version": 2}),),
        changed=(("flash_attn_version", version, 2),),
    )
