"""The block size of a hybrid model is enlarged.

## What happens
The engine starts with a larger block than asked.

## Why
Attention layers and recurrent layers share one pool, so an attention page must hold one recurrent state.

## Versions
>=0.10

## Evidence
- vllm/model_executor/models/config.py, HybridAttentionMambaModelConfig.verify_and_update_config (0.18.0);
  vllm/platforms/interface.py, Platform.update_block_size_for_backend (0.23.0 to 0.33.0)

## Fix
Leave --block-size out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("silent", flags=("--block-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.whole("block_size")
    if not ctx.given("block_size") or asked < 0 or (asked == 0 and ctx.at_least(0, 20)):  # refused from 0.20 on
        return None
    model = ctx.need_model()
    block = ctx.hybrid_block
    if block is None or block <= asked:
        return None
    return Hit(
        message=f"--block-size {asked} is asked for; one state of {model.id} needs a block of {block} tokens.",
        effect=f"Blocks hold {block} tokens: prefixes are shared in steps of that size only.",
        steps=(drop("--block-size"),),
        changed=(("block_size", asked, block),),
    )
