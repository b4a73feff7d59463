"""Engram settings for a model without n-gram embeddings.

## What happens
The engine refuses to start.

## Why
The settings say where n-gram embedding tables are kept; only two architectures have such layers.

## Versions
>=0.30

## Evidence
- vllm/config/engram.py, EngramConfig.verify_model_config and _NGRAM_LAYER_FIELDS (0.30.0 line 81, 0.33.0 line 68)
- create_engine_config of 0.31.0 to 0.33.0 on `{}`

## Fix
Take --engram-config out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

WITH_LAYERS = ("DeepseekV41", "Qwen4Exp")
"""How the names of architectures with n-gram embeddings begin."""


@rule("fatal", flags=("--engram-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if not isinstance(ctx.arg("engram_config"), dict):
        return None
    model = ctx.need_model()
    if model.architecture is None or model.architecture.startswith(WITH_LAYERS):
        return None
    return Hit(
        message=f"--engram-config is given for {model.id}, which has no n-gram embeddings.",
        effect="vLLM stops before loading.",
        steps=(drop("--engram-config"),),
    )
