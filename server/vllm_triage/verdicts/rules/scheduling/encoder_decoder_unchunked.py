"""Chunked prefill and prefix caching on an encoder-decoder model.

## What happens
The engine starts with both off.

## Why
The encoder's output is not produced in chunks nor found again by prefix.

## Versions
>=0.10

## Evidence
- vllm/config/scheduler.py, SchedulerConfig.__post_init__ (0.18.0 line 222, 0.31.0 line 299, 0.33.0 line 301)

## Fix
Leave both flags out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_BOTH = (("--enable-chunked-prefill", "enable_chunked_prefill"), ("--enable-prefix-caching", "enable_prefix_caching"))


@rule("silent", flags=("--enable-chunked-prefill", "--enable-prefix-caching"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = [flag for flag, dest in _BOTH if ctx.arg(dest) is True]
    if not asked:
        return None
    model = ctx.need_model()
    if not model.is_encoder_decoder:
        return None
    return Hit(
        message=f"{' and '.join(asked)} given for {model.id}, an encoder-decoder model.",
        effect="Both stay off.",
        flags=tuple(asked),
        steps=tuple(drop(flag) for flag in asked),
        changed=tuple((dest, True, False) for flag, dest in _BOTH if flag in asked),
    )
