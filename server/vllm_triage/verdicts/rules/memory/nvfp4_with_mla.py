"""NVFP4 KV cache on an MLA model.

## What happens
The engine refuses to start.

## Why
The layout packs K and V heads; a latent has neither. Sparse MLA backends have a layout of their own (`nvfp4_ds_mla`,
from 0.30).

## Versions
>=0.21

## Evidence
- vllm/config/vllm.py, VllmConfig.validate_nvfp4_kv_cache_with_mla (0.31.0 line 3424, 0.33.0 line 3432)

## Fix
Use fp8, where the device's kernels read it.
"""

from ...attention import mla_order, reasons
from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if not isinstance(asked, str) or not asked.startswith("nvfp4") or asked.endswith("_ds_mla"):
        return None
    model = ctx.need_model()
    if not model.uses_mla:
        return None
    have = ctx.need_capability() if ctx.gpu is not None else None
    held = have is None or any(not reasons(name, ctx, have, block=None, kv="fp8") for name in mla_order(have))
    return Hit(
        message=f"--kv-cache-dtype {asked} is given for {model.id}, which caches a latent (MLA).",
        effect="vLLM stops before loading.",
        steps=(put("--kv-cache-dtype", "fp8") if held else drop("--kv-cache-dtype"),),
    )
