"""An attention backend the vision encoder does not have.

## What happens
The worker refuses to start when it builds the encoder.

## Why
Encoders attend without a cache; on NVIDIA they have FlashAttention, PyTorch's own and, from 0.17, Triton and
FlashInfer.

## Versions
>=0.13

## Evidence
- vllm/platforms/cuda.py, CudaPlatformBase.get_supported_vit_attn_backends and
  get_vit_attn_backend (0.13.0 to 0.33.0)

## Fix
Leave --mm-encoder-attn-backend out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

COMMON = ("FLASH_ATTN", "TORCH_SDPA")
LATER = ("TRITON_ATTN", "FLASHINFER")


@rule("fatal", flags=("--mm-encoder-attn-backend",), needs=("gpu", "model"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("mm_encoder_attn_backend")
    if not isinstance(asked, str):
        return None
    have = (*COMMON, *LATER) if ctx.at_least(0, 17) else COMMON
    if asked.upper() in have:
        return None
    if ctx.need_gpu().vendor != "nvidia" or not ctx.need_model().is_multimodal:
        return None
    return Hit(
        message=f"--mm-encoder-attn-backend {asked} is given; encoders attend with {', '.join(have)}.",
        effect="vLLM stops while the encoder is built.",
        steps=(drop("--mm-encoder-attn-backend"),),
    )
