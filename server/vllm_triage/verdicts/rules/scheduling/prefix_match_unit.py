"""A unit of prefix matching that does not divide the block.

## What happens
The engine stops while it sets up the cache.

## Why
Prefixes are compared in units, whole units to a block.

## Versions
>=0.26

## Evidence
- vllm/v1/core/kv_cache_utils.py, the check of prefix_match_unit against every group's block size (0.26.0, 0.28.0 line 664,
  0.33.0)

## Fix
Leave --prefix-match-unit out, or give a divisor of the block size.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--prefix-match-unit", "--block-size"), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    unit = ctx.whole("prefix_match_unit")
    if unit <= 0 or ctx.setting("enable_prefix_caching") is False:
        return None
    block = ctx.hybrid_block or ctx.need_number("block_size")
    if block % unit == 0:
        return None
    return Hit(
        message=f"--prefix-match-unit {unit} does not divide the block size {block}.",
        effect="The engine stops while it sets up the cache.",
        steps=(drop("--prefix-match-unit"),),
    )
