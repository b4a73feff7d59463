"""FP8 KV cache without scales of its own.

## What happens
The engine starts and says in its log that accuracy may drop.

## Why
Without calibrated scales in the checkpoint every K and V is scaled by 1.0. Most models lose little, some lose much;
it halves the cache.

## Versions
>=0.9

## Evidence
- vllm/config/cache.py, CacheConfig (0.18.0 line 212, 0.31.0 line 356, 0.33.0 line 477)

## Fix
Measure the quality of your own task once, or use a checkpoint that brings kv_cache scales.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("advice", flags=("--kv-cache-dtype",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if asked not in ("fp8", "fp8_e4m3", "fp8_e5m2"):
        return None
    model = ctx.model
    if model is not None and model.quantization is not None and model.quantization.kv_cache:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked}: K and V are stored in 8 bits, scaled by 1.0 unless the checkpoint brings "
        "scales.",
        effect="Twice the tokens in the pool; accuracy may drop.",
        steps=(drop("--kv-cache-dtype"),),
        fix="Compare answers once with `--kv-cache-dtype auto`; if they suffer, remove `--kv-cache-dtype`.",
    )
