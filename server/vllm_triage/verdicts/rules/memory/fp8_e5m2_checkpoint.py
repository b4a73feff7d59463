"""fp8_e5m2 KV cache with an FP8 checkpoint.

## What happens
Loading fails.

## Why
The checkpoint may bring scales for its KV cache, which e5m2 does not use.

## Versions
all

## Evidence
- vllm/model_executor/layers/attention/attention.py (0.18.0 line 167, 0.33.0 line 219); vllm/attention/layer.py in
  older releases

## Fix
Use fp8 (e4m3).
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("kv_cache_dtype") != "fp8_e5m2":
        return None
    model = ctx.need_model()
    if model.quantization is None or model.quantization.method != "fp8":
        return None
    return Hit(
        message=f"--kv-cache-dtype fp8_e5m2 is given for {model.id}, an FP8 checkpoint.",
        effect="vLLM stops at load.",
        steps=(put("--kv-cache-dtype", "fp8"),),
    )
