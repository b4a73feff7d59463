"""The checkpoint decides the type of the KV cache.

## What happens
`auto` is replaced by the type the checkpoint's ModelOpt configuration names: FP8, and NVFP4 from 0.20.

## Why
Such a checkpoint was calibrated for that cache and brings its scales.

## Versions
>=0.14

## Evidence
- vllm/utils/torch_utils.py, get_kv_cache_quant_algo_string and resolve_kv_cache_dtype_string (0.14.0, 0.18.0 line 262,
  0.33.0 line 443)
- create_engine_config of 0.18.0 to 0.33.0 on a ModelOpt FP8 checkpoint

## Fix
Nothing to change; give --kv-cache-dtype bfloat16 where the cache must stay in 16 bits.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("advice", flags=("--kv-cache-dtype",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("kv_cache_dtype", "auto") != "auto":
        return None
    told = ctx.need_model().quantization
    held = ctx.setting("kv_cache_dtype")
    if told is None or not told.method.startswith("modelopt") or held not in ("fp8_e4m3", "nvfp4"):
        return None
    return Hit(
        message=f"{ctx.need_model().id} brings its own KV cache type: auto is {held}.",
        effect="K and V are stored in fewer bits than the model computes in, with the checkpoint's scales.",
        steps=(put("--kv-cache-dtype", held),),
        fix=f"Nothing to change; `--kv-cache-dtype {held}` says that it is meant, `--kv-cache-dtype bfloat16` keeps 16 bits.",
        changed=(("kv_cache_dtype", "auto", held),),
    )
