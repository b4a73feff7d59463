"""Adapters by modality on a text model.

## What happens
The engine refuses to start.

## Why
There is no modality to choose them by.

## Versions
>=0.10

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.33.0: default modality-specific LoRA for a
  non-multimodal model)
- create_engine_config of 0.33.0 on Qwen3

## Fix
Take --default-mm-loras out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--default-mm-loras",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if not ctx.arg("default_mm_loras"):
        return None
    model = ctx.need_model()
    if model.is_multimodal:
        return None
    return Hit(
        message=f"--default-mm-loras is given for {model.id}, a text model.",
        effect="vLLM stops before loading.",
        steps=(drop("--default-mm-loras"),),
    )
