"""The whole context of the model is kept.

## What happens
Start-up fails where the pool cannot hold one request of that length; otherwise only the printed concurrency is small.

## Why
Blocks are taken as a request grows, so a long max_model_len costs nothing in steady state. It must only fit once.

## Versions
all

## Evidence
- vllm/v1/core/kv_cache_utils.py, _check_enough_kv_cache_memory (0.18.0 line 641, 0.31.0 line 925);
  vllm/v1/core/kv_cache_planning.py (0.33.0 line 77)

## Fix
Give the length your requests need, or `auto` (from 0.14) to fit it to the pool.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("advice", flags=("--max-model-len",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.given("max_model_len"):
        return None
    model = ctx.need_model()
    if (model.derived_max_model_len or 0) <= 131072:
        return None
    return Hit(
        message=f"max_model_len is {model.derived_max_model_len}, the whole context of {model.id}.",
        effect="Start-up fails if the pool cannot hold one such request.",
        steps=(put("--max-model-len", -1 if ctx.at_least(0, 14) else 131072),),
        fix="`--max-model-len auto`, or the length your requests need." if ctx.at_least(0, 14) else "",
    )
