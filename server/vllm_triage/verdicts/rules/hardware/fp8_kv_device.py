"""An FP8 KV cache on a device where no attention kernel reads it.

## What happens
vLLM accepts the configuration; the worker stops when it builds the attention layers.

## Why
Below 9.0 FlashAttention reads none. FlashInfer does for heads of 64, 128 and 256, on 7.5 until 0.23. Triton, which is
left, has no e4m3 below 8.9, and from 0.24 refuses every FP8 cache there.

## Versions
>=0.11

## Evidence
- vllm/v1/attention/backends/flashinfer.py, FlashInferBackend.supports_compute_capability (0.23.0, 0.24.0);
  vllm/v1/attention/backends/triton_attn.py, TritonAttentionImpl.__init__ (0.24.0, 0.33.0 line 514)
- validate_configuration of every backend of 0.31.0 to 0.33.0 asked for a T4

## Fix
Leave --kv-cache-dtype out.
"""

from ...attention import dense_order, reasons
from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--kv-cache-dtype",), needs=("model", "gpu"), starts=False)
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if asked not in ("fp8", "fp8_e4m3", "fp8_e5m2") or ctx.given("attention_backend") or ctx.plugins:
        return None
    model, have = ctx.need_model(), ctx.need_capability()
    if have is None or model.uses_mla or model.model_type == "gpt_oss":  # rules mla-fp8-device, sinks-unsupported
        return None
    order = dense_order(have)
    if any(not reasons(name, ctx, have, block=None, kv=str(asked)) for name in order):
        return None
    if all(reasons(name, ctx, have, block=None, kv=None) for name in order):
        return None  # something else leaves it without a backend
    return Hit(
        message=f"--kv-cache-dtype {asked} is given; no attention backend of vLLM {ctx.version} reads it on "
        f"{ctx.need_gpu().name}, compute capability {have[0]}.{have[1]}.",
        effect="The worker stops before the weights are loaded.",
        steps=(drop("--kv-cache-dtype"),),
    )
