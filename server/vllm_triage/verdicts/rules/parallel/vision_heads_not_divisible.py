"""Heads of the vision encoder that tensor parallelism does not divide.

## What happens
The workers stop while they build the encoder: one number is not divisible by the other.

## Why
The encoder is split over the same ranks as the language model, and has fewer heads, 12 or 16 mostly. With
--mm-encoder-tp-mode data every rank holds it whole instead. Encoders not named here pad their heads, or are held whole.

## Versions
all

## Evidence
- `divide` in the attention of vllm/model_executor/models/qwen2_vl.py and qwen2_5_vl.py (0.8.5, 0.18.0, 0.33.0; qwen3_vl.py
  builds the latter's), glm4_1v.py (0.10.0, 0.18.0, 0.33.0), siglip.py (0.8.5, 0.18.0, 0.33.0)
- https://github.com/vllm-project/vllm/issues/24004, https://github.com/vllm-project/vllm/issues/55517

## Fix
Give --mm-encoder-tp-mode data, or a size that divides these heads too.
"""

from ...context import Context
from ...rule import Hit, put, rule

SPLIT = frozenset(
    f"{family}ForConditionalGeneration"
    for family in ("Qwen2VL", "Qwen2_5_VL", "Qwen3VL", "Qwen3VLMoe", "Qwen3_5", "Qwen3_5Moe", "Glm4v", "Glm4vMoe", "LlavaNext",
                   "Gemma3")
)  # fmt: skip
"""Architectures whose encoder is split by heads."""


@rule("fatal", flags=("--tensor-parallel-size", "--mm-encoder-tp-mode"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.tp <= 1:
        return None
    model = ctx.need_model()
    heads = model.vision_heads
    if heads is None or heads % ctx.tp == 0 or model.architecture not in SPLIT or _not_split(ctx):
        return None
    sizes = [size for size in range(1, min(ctx.tp, heads + 1)) if heads % size == 0 and model.q_heads % size == 0]
    data = ctx.at_least(0, 11)
    return Hit(
        message=f"The vision encoder of {model.id} has {heads} heads, which --tensor-parallel-size {ctx.tp} does not divide.",
        effect="The workers stop while they build the encoder.",
        steps=(put("--mm-encoder-tp-mode", "data"),) if data else (put("--tensor-parallel-size", max(sizes, default=1)),),
    )


def _not_split(ctx: Context) -> bool:
    """Whether every rank holds the encoder whole, or none does."""
    if ctx.arg("mm_encoder_tp_mode") == "data" or ctx.arg("enable_multimodal_encoder_data_parallel") is True:
        return True
    return ctx.arg("language_model_only") is True or ctx.mapping("limit_mm_per_prompt").get("image") == 0
