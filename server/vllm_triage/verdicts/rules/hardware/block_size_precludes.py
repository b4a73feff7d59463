"""The block size excludes the preferred attention backend.

## What happens
vLLM takes a slower backend, or finds none and the worker stops.

## Why
Kernels read blocks of certain sizes: FlashAttention and Triton multiples of 16, FlashInfer 16, 32 and 64, the MLA
kernels 32, 64 or 128. Left out, the size follows the backend.

## Versions
>=0.11.1

## Evidence
- vllm/platforms/cuda.py, CudaPlatformBase.get_attn_backend_cls (0.18.0 line 307, 0.31.0 line 516, 0.33.0 line 498);
  get_supported_kernel_block_sizes of the backends (0.11.2 to 0.33.0)

## Fix
Leave --block-size out.
"""

from ...attention import dense_order, reasons
from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--block-size",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    block = ctx.whole("block_size")
    if block <= 0 or ctx.given("attention_backend"):
        return None
    model, have = ctx.need_model(), ctx.need_capability()
    if have is None or model.uses_mla or model.is_hybrid or model.is_encoder_decoder:
        return None
    setting = ctx.setting("kv_cache_dtype")
    kv = setting if isinstance(setting, str) else None
    order = dense_order(have)
    free = [name for name in order if not reasons(name, ctx, have, block=None, kv=kv)]
    held = [name for name in order if not reasons(name, ctx, have, block=block, kv=kv)]
    if not free or (held and held[0] == free[0]):
        return None
    return Hit(
        message=f"--block-size {block} excludes {free[0]} on {ctx.need_gpu().name}"
        + (f"; {held[0]} is used instead." if held else "; no attention backend is left."),
        effect="Attention is slower." if held else "The worker stops: no valid attention backend is found.",
        steps=(drop("--block-size"),),
    )
