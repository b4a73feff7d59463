"""A 16-bit KV cache of another type than the model.

## What happens
The engine refuses to start.

## Why
An unquantized cache must hold what attention computes in: bfloat16 with bfloat16, float16 with float16. On a device
without bfloat16 the model runs in float16.

## Versions
>=0.33

## Evidence
- vllm/config/vllm.py, VllmConfig._reject_mismatched_float_kv_cache (0.33.0 line 1492; not in 0.32.0)
- create_engine_config of 0.33.0 on a T4 with `--kv-cache-dtype bfloat16`

## Fix
Leave --kv-cache-dtype at auto.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-cache-dtype", "--dtype"), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if asked not in ("float16", "bfloat16"):
        return None
    dtype = ctx.setting("dtype")
    if dtype is None:
        ctx.need_model()
        ctx.need_gpu()
        return None
    if dtype == asked:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given, the model runs in {dtype}.",
        effect="vLLM stops before loading.",
        steps=(drop("--kv-cache-dtype"),),
    )
