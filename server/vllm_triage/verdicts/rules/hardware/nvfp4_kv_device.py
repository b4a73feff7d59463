"""NVFP4 KV cache on a device without a kernel for it.

## What happens
The worker refuses to start: no valid attention backend.

## Why
FlashInfer alone reads it: no release before 0.21, then TensorRT-LLM's kernels for compute capability 10.x, and from 0.32
its own of 8.x, 9.x and 12.x, but not `nvfp4_4over6`, heads of 64 or sinks.

## Versions
>=0.20

## Evidence
- vllm/v1/attention/backends/flashinfer.py, FlashInferBackend.supported_kv_cache_dtypes (0.20.0, 0.21.0),
  FlashInferMetadataBuilder.__init__ (0.23.0 line 626), supports_kv_cache_dtype (0.31.0, 0.32.0) and
  supports_combination (0.32.0, 0.33.0)

## Fix
Use fp8, where the device has it.
"""

from ...attention import dense_order, reasons
from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if asked not in ("nvfp4", "nvfp4_4over6"):
        return None
    model, have = ctx.need_model(), ctx.need_capability()
    if have is None or model.uses_mla or not reasons("FLASHINFER", ctx, have, block=None, kv=str(asked)):
        return None
    reads = any(not reasons(name, ctx, have, block=None, kv="fp8") for name in dense_order(have))
    return Hit(
        message=f"--kv-cache-dtype {asked} is given; vLLM {ctx.version} has no kernel that reads it for {model.id} on "
        f"{ctx.need_gpu().name}, compute capability {have[0]}.{have[1]}.",
        effect="The worker stops: no valid attention backend is found.",
        steps=(put("--kv-cache-dtype", "fp8") if reads else drop("--kv-cache-dtype"),),
    )
