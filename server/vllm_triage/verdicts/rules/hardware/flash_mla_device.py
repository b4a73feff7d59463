"""FlashMLA asked for on a device without it, before 0.11.

## What happens
The engine stops while it builds the model.

## Why
FlashMLA was compiled for Hopper alone. When it is named and not there, vLLM warned and went on to backends that do not
know latent attention.

## Versions
>=0.8,<0.11

## Evidence
- vllm/attention/ops/flashmla.py, is_flashmla_supported; vllm/platforms/cuda.py, CudaPlatformBase.get_attn_backend_cls
  (0.8.5 lines 179 to 236, 0.10.0); vllm/attention/backends/flashmla.py, "not supported on this device" (0.8.0 to 0.10.0)

## Fix
Leave the backend to vLLM.
"""

from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("fatal", flags=(), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.env.get("VLLM_ATTENTION_BACKEND", "")
    if not asked.startswith("FLASHMLA") or not ctx.need_model().uses_mla or ctx.need_gpu().vendor != "nvidia":
        return None
    have = ctx.need_capability()
    if have is None or have[0] == 9:
        return None
    return Hit(
        message=f"VLLM_ATTENTION_BACKEND={asked} is set on {ctx.need_gpu().name}; FlashMLA runs on Hopper alone.",
        effect="vLLM stops while it builds the model.",
        steps=(drop_env("VLLM_ATTENTION_BACKEND"),),
    )
