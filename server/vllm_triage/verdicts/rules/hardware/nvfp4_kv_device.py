"""NVFP4 KV cache on a device without a kernel for it.

## What happens
The worker refuses to start: no valid attention backend.

## Why
Only FlashInfer's TensorRT-LLM kernels for compute capability 10.x read it in these releases.

## Versions
>=0.20,<0.33

## Evidence
- vllm/v1/attention/backends/flashinfer.py, supports_kv_cache_dtype (0.23.0, 0.31.0)

## Fix
Use fp8.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if asked not in ("nvfp4", "nvfp4_4over6"):
        return None
    model, have = ctx.need_model(), ctx.need_capability()
    if have is None or have[0] == 10 or model.uses_mla:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given; {ctx.need_gpu().name} has compute capability {have[0]}.{have[1]}.",
        effect="The worker stops: no valid attention backend is found.",
        steps=(put("--kv-cache-dtype", "fp8"),),
    )
