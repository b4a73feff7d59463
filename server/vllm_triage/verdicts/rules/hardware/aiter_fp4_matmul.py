"""AITER's FP4 matrix products for latent attention on an AMD device without FP4.

## What happens
Loading stops: MXFP4 quantization is not supported on this device.

## Why
VLLM_ROCM_USE_AITER=1 turns the FP4 products on by itself in these releases, whatever the device, for weights kept in
bfloat16; only CDNA 4 has FP4.

## Versions
>=0.15,<0.17

## Evidence
- vllm/_aiter_ops.py, rocm_aiter_ops.is_fp4bmm_enabled (0.15.0 line 960, 0.16.0 line 1001; 0.17.0 line 1148 asks for the
  device); vllm/model_executor/layers/attention/mla_attention.py line 1241 (0.15.0)
- https://github.com/vllm-project/vllm/issues/34641

## Fix
Set VLLM_ROCM_USE_AITER_FP4BMM=0.
"""

from ...context import Context
from ...rule import Hit, rule, set_env

_ON = ("1", "true", "True")


@rule("fatal", flags=(), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_ROCM_USE_AITER") not in _ON or ctx.env.get("VLLM_ROCM_USE_AITER_FP4BMM", "1") not in _ON:
        return None
    model, gpu = ctx.need_model(), ctx.need_gpu()
    if gpu.vendor != "amd" or gpu.compute_capability in (None, "gfx950") or not model.uses_mla or model.quantization is not None:
        return None
    return Hit(
        message=f"VLLM_ROCM_USE_AITER=1 brings FP4 products for {model.id}, and {gpu.name} has no FP4.",
        effect="vLLM stops at load.",
        steps=(set_env("VLLM_ROCM_USE_AITER_FP4BMM", "0"),),
    )
