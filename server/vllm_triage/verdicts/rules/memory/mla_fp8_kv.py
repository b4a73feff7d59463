"""An FP8 cache of latents before 0.10.2.

## What happens
The engine stops while it builds the model, or at its first request before 0.8.

## Why
Kernels for ordinary attention could read an FP8 cache, but none for latent attention could yet, on V0 or on V1.

## Versions
>=0.7.1,<0.10.2

## Evidence
- vllm/attention/backends/triton_mla.py line 707 (0.7.3) and line 62 (0.8.0 to 0.10.1), flashmla.py line 212 (0.8.0)
- vllm/v1/attention/backends/mla/flashmla.py line 119 and triton_mla.py line 65 (0.8.0) to lines 169 and 67 (0.10.1);
  cutlass_mla.py line 67 (0.9.1) to line 111 (0.10.1)
- https://github.com/vllm-project/vllm/issues/18888

## Fix
Take --kv-cache-dtype out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if not isinstance(asked, str) or not asked.startswith("fp8") or ctx.env.get("VLLM_MLA_DISABLE") == "1":
        return None
    if not ctx.need_model().uses_mla or ctx.need_gpu().vendor not in ("nvidia", "amd"):
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given for {ctx.need_model().id}, a model with latent attention.",
        effect="vLLM stops: an FP8 cache is not yet supported by its attention.",
        steps=(drop("--kv-cache-dtype"),),
    )
