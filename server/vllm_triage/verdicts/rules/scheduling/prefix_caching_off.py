"""Prefix caching is turned off.

## What happens
Every prompt is prefilled whole, also the part it shares with others.

## Why
It is on by default and costs almost nothing: unused cached blocks are free blocks.

## Versions
>=0.9

## Evidence
- vllm/v1/core/block_pool.py, BlockPool.get_usage (0.18.0: cached blocks without a user count as free);
  vllm/engine/arg_utils.py (0.18.0 line 2101)

## Fix
Leave it on unless prompts must not be told apart by timing.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("advice", flags=("--enable-prefix-caching",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_prefix_caching") is not False:
        return None
    model = ctx.need_model()
    if model.is_encoder_decoder or model.is_pooling or (model.is_hybrid and not ctx.at_least(0, 26)):
        return None
    return Hit(
        message=f"Prefix caching is off for {model.id}, which supports it.",
        effect="System prompts and chat history are computed again for every request.",
        steps=(drop("--enable-prefix-caching"),),
        fix="Remove `--no-enable-prefix-caching`.",
    )
