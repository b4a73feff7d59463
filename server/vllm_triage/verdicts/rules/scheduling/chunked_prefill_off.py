"""Chunked prefill turned off on a model that supports it.

## What happens
The engine starts with a warning that this is not officially supported and may crash or give wrong output.

## Why
The V1 scheduler has chunked prefill on for every generative model; the other path is not tested. A prompt then waits
until the whole of it fits into one step.

## Versions
>=0.11

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._set_default_chunked_prefill_and_prefix_caching_args (0.18.0 line 2080, 0.31.0
  line 2940, 0.33.0 line 3059)

## Fix
Leave it on.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--enable-chunked-prefill",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_chunked_prefill") is not False:
        return None
    model = ctx.need_model()
    if model.is_encoder_decoder or model.is_pooling:
        return None
    return Hit(
        message=f"Chunked prefill is turned off for {model.id}, which supports it.",
        effect="vLLM warns that the engine may crash or give incorrect output; long prompts stall every running "
        "decode.",
        steps=(drop("--enable-chunked-prefill"),),
        fix="Remove `--no-enable-chunked-prefill`.",
    )
