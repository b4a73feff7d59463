"""A way of pruning video that the model does not have.

## What happens
The engine refuses to start.

## Why
Models that prune video do so by `evs`; Qwen3-VL by `vidcom2` too. The others ignore the flags.

## Versions
>=0.27

## Evidence
- vllm/config/model.py, ModelConfig.__post_init__ (0.27.0, 0.29.0 line 816, 0.33.0 line 890); supported_video_pruning_methods
  of vllm/model_executor/models/interfaces.py and qwen3_vl.py; classes with SupportsMultiModalPruning (0.27.0, 0.33.0)

## Fix
Leave --video-pruning-method out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

BY_EVS = frozenset({"Qwen2_5_VLForConditionalGeneration", "NemotronH_Nano_VL_V2"})
"""Architectures that prune by `evs` alone."""


@rule("fatal", flags=("--video-pruning-method", "--video-pruning-rate"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    method, rate = ctx.arg("video_pruning_method"), ctx.arg("video_pruning_rate")
    if method in (None, "evs") or not isinstance(rate, (int, float)) or rate <= 0:
        return None
    model = ctx.need_model()
    if model.architecture not in BY_EVS:
        return None
    return Hit(
        message=f"--video-pruning-method {method} is given; {model.id} prunes by evs.",
        effect="vLLM stops before loading.",
        steps=(drop("--video-pruning-method"),),
    )
