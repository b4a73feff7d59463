"""The prefix block of a hybrid model is longer than its context.

## What happens
The engine starts; no prefix is ever found.

## Why
In a hybrid model the attention page must be as large as the recurrent state, so one block may hold thousands of
tokens, and only whole blocks are shared.

## Versions
>=0.20

## Evidence
- vllm/platforms/interface.py, Platform.update_block_size_for_backend (0.23.0)
- https://github.com/vllm-project/vllm/issues/48401

## Fix
Raise --max-model-len, or turn prefix caching off.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("degraded", flags=("--enable-prefix-caching", "--block-size"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.setting("enable_prefix_caching") is not True:
        return None
    model = ctx.model
    if model is None or not model.is_hybrid:
        return None
    block, longest = ctx.hybrid_block, ctx.number("max_model_len")
    if block is None or longest is None or longest <= 0 or block <= longest:
        return None
    return Hit(
        message=f"A block of {model.id} holds {block} tokens, max_model_len is {longest}.",
        effect="Prefix caching costs memory and finds nothing.",
        steps=(put("--enable-prefix-caching", False),),
    )
