"""A KV cache dtype that the sparse MLA kernel does not read.

## What happens
The worker refuses to start: no valid attention backend.

## Why
On Hopper the sparse kernel reads 16-bit caches and its own fp8_ds_mla layout; `fp8` means that layout, `fp8_e4m3`
does not.

## Versions
>=0.11.1,<0.33

## Evidence
- vllm/v1/attention/backends/mla/flashmla_sparse.py, supported_kv_cache_dtypes (0.14.1, 0.18.0)

## Fix
Use fp8 (or fp8_ds_mla), or leave it at auto.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if not isinstance(asked, str) or asked in ("auto", "bfloat16", "fp8_ds_mla", "nvfp4_ds_mla", "fp8"):
        return None
    model = ctx.need_model()
    if not any(run.kind == "mla_sparse" for run in model.runs):
        return None
    have = ctx.need_capability()
    if have is None or have[0] != 9:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given for {model.id}, whose sparse attention on {ctx.need_gpu().name} "
        "does not read it.",
        effect="The worker stops: no valid attention backend is found.",
        steps=(put("--kv-cache-dtype", "fp8" if ctx.at_least(0, 16) else "fp8_ds_mla"),),
    )
