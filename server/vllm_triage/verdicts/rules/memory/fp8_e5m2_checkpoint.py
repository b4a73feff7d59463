"""fp8_e5m2 KV cache with weights whose format may bring scales for it.

## What happens
Loading fails.

## Why
The checkpoint may bring scales for its KV cache, which e5m2 does not use. Formats with such scales refuse it whether they
bring any or not: FP8, quantized on load as well until 0.31 moved that to a method of its own, compressed-tensors (from
0.24 only with a scheme for the KV cache), and ModelOpt with one. Latent attention asks no such scales from 0.11.1.

## Versions
all

## Evidence
- vllm/model_executor/layers/attention/attention.py (0.18.0 line 167, 0.24.0, 0.33.0 line 219); vllm/attention/layer.py in
  older releases
- get_quant_method of vllm/model_executor/layers/quantization/{fp8,modelopt,compressed_tensors} (0.11.0, 0.18.0, 0.33.0);
  get_quant_config of vllm/model_executor/model_loader/weight_utils.py (0.31.0: fp8 on load is OnlineQuantizationConfig)

## Fix
Use fp8 (e4m3).
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("kv_cache_dtype") != "fp8_e5m2":
        return None
    told = _with_scales(ctx)
    if told is None:
        return None
    return Hit(
        message=f"--kv-cache-dtype fp8_e5m2 is given for {ctx.need_model().id}, {told}.",
        effect="vLLM stops at load.",
        steps=(put("--kv-cache-dtype", "fp8"),),
    )


def _with_scales(ctx: Context) -> str | None:
    """What brings scales for the KV cache, in words."""
    model = ctx.need_model()
    if model.uses_mla and ctx.at_least(0, 11, 1):
        return None
    own = model.quantization
    if own is None:
        on_load = ctx.arg("quantization") == "fp8" and not ctx.at_least(0, 31)
        return "quantized to FP8 on load" if on_load else None
    method = own.method.replace("-", "_")
    if method == "fp8":
        return "an FP8 checkpoint"
    always = method == "compressed_tensors" and not ctx.at_least(0, 24)
    if always or (own.kv_cache is not None and (method == "compressed_tensors" or method.startswith("modelopt"))):
        return f"a {own.method} checkpoint"
    return None
