"""Blocks of more than 32 tokens on an NVIDIA GPU.

## What happens
The engine refuses to start.

## Why
The paged attention kernel of the time knew blocks of 8, 16 and 32 tokens.

## Versions
<0.7

## Evidence
- vllm/config.py, CacheConfig._verify_args (0.6.6 line 1009)

## Fix
Use --block-size 32 or less.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--block-size",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    size = ctx.whole("block_size")
    if size <= 32 or ctx.need_gpu().vendor != "nvidia":
        return None
    return Hit(
        message=f"--block-size {size} is more than 32.",
        effect="vLLM stops before loading.",
        steps=(put("--block-size", 32),),
    )
