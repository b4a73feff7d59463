"""An FP8 cache of latents before 0.10.

## What happens
The engine stops while it builds the model.

## Why
The V1 engine takes FP8 on Hopper because FlashAttention 3 can, but no kernel for latent attention could yet.

## Versions
>=0.8,<0.10

## Evidence
- vllm/v1/attention/backends/mla/flashmla.py line 119 and triton_mla.py line 65 (0.8.5), cutlass_mla.py (0.9.2);
  vllm/engine/arg_utils.py, EngineArgs._is_v1_supported_oracle (0.8.5, 0.9.2)
- https://github.com/vllm-project/vllm/issues/18888

## Fix
Take --kv-cache-dtype out, or set VLLM_USE_V1=0.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if not isinstance(asked, str) or not asked.startswith("fp8") or ctx.env.get("VLLM_USE_V1") == "0":
        return None
    if ctx.need_capability() != (9, 0) or "VLLM_ATTENTION_BACKEND" in ctx.env or not ctx.need_model().uses_mla:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given for {ctx.need_model().id}, a model with latent attention, on V1.",
        effect="vLLM stops while it builds the model: FP8 cache not yet supported.",
        steps=(drop("--kv-cache-dtype"),),
    )
