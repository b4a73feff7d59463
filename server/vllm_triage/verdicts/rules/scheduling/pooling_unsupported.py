"""Chunked prefill or prefix caching on a pooling model without support.

## What happens
The engine starts with a warning that it may crash or give wrong output.

## Why
Pooling over the whole prompt needs the whole prompt in one step.

## Versions
>=0.11

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._set_default_chunked_prefill_and_prefix_caching_args (0.18.0 lines 2091 and
  2110, 0.31.0 lines 2950 and 2968, 0.33.0 lines 3069 and 3087)

## Fix
Leave the flag out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_BOTH = (("--enable-chunked-prefill", "enable_chunked_prefill"), ("--enable-prefix-caching", "enable_prefix_caching"))


@rule("degraded", flags=("--enable-chunked-prefill", "--enable-prefix-caching"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = [flag for flag, dest in _BOTH if ctx.arg(dest) is True]
    if not asked:
        return None
    model = ctx.need_model()
    if not model.is_pooling or not any(run.kind == "encoder_only" for run in model.runs):
        return None
    return Hit(
        message=f"{' and '.join(asked)} given for {model.id}, which pools over whole prompts.",
        effect="Wrong embeddings or a crash.",
        flags=tuple(asked),
        steps=tuple(drop(flag) for flag in asked),
    )
