"""An FP8 KV cache moves attention to another backend.

## What happens
The engine starts on FlashInfer or Triton instead of FlashAttention; where neither can be used rule fp8-kv-device tells.

## Why
FlashAttention reads an FP8 cache with version 3 on Hopper, and with version 4 on Blackwell from 0.24. Ada and Ampere
fall to FlashInfer, and below 8.9 Triton has no e4m3 type at all ("type fp8e4nv not supported in this architecture").

## Versions
>=0.11

## Evidence
- vllm/v1/attention/backends/flash_attn.py, supports_kv_cache_dtype, and fa_utils.py, flash_attn_supports_fp8 (0.11.2
  to 0.33.0); vllm/v1/attention/backends/triton_attn.py (0.33.0 lines 505-525)
- https://github.com/vllm-project/vllm/issues/26431

## Fix
Keep the 16-bit cache where attention is the bottleneck; below 8.9 make sure FlashInfer is installed.
"""

from ...attention import dense_order, reasons
from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    setting = ctx.arg("kv_cache_dtype")
    if setting not in ("fp8", "fp8_e4m3", "fp8_e5m2") or ctx.given("attention_backend"):
        return None
    model, have = ctx.need_model(), ctx.need_capability()
    if have is None or model.uses_mla:
        return None
    order = dense_order(have)
    kv = str(setting)
    free = [name for name in order if not reasons(name, ctx, have, block=None, kv=None)]
    held = [name for name in order if not reasons(name, ctx, have, block=None, kv=kv)]
    if not free or not held or held[0] == free[0]:  # nothing left: rule fp8-kv-device
        return None
    old = " Below 8.9 nothing else reads it: without FlashInfer the worker stops." if have < (8, 9) else ""
    return Hit(
        message=f"With a {setting} KV cache {ctx.need_gpu().name} attends with {held[0]} instead of {free[0]}.{old}",
        effect="Decode reads half the bytes, but through slower kernels; prefill may be slower.",
        steps=(drop("--kv-cache-dtype"),),
    )
