"""An FP8 cache for a model that has no cache.

## What happens
Every request fails: attention without a cache refuses the quantized type.

## Why
Encoders attend to the whole text at once and keep nothing.

## Versions
>=0.10.1

## Evidence
- vllm/v1/attention/backends/flash_attn.py, FlashAttentionImpl._forward_encoder_attention (0.10.1, 0.28.0, 0.33.0);
  triton_attn.py (0.20.0, 0.28.0 line 784, 0.33.0)

## Fix
Leave --kv-cache-dtype out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if not isinstance(asked, str) or not asked.startswith("fp8"):
        return None
    model = ctx.need_model()
    if not model.runs or any(run.kind != "encoder_only" for run in model.runs):
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given for {model.id}, an encoder without a cache.",
        effect="The first request stops in attention.",
        steps=(drop("--kv-cache-dtype"),),
    )
