"""The number of KV blocks is forced.

## What happens
The pool has this many blocks whatever memory allows.

## Why
The flag is for testing preemption. Too many blocks run out of memory, too few starve the scheduler.

## Versions
>=0.6.6

## Evidence
- vllm/v1/core/kv_cache_utils.py, may_override_num_blocks (0.18.0)

## Fix
Leave it out; use --kv-cache-memory-bytes to pin the pool.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("advice", flags=("--num-gpu-blocks-override",))
def check(ctx: Context) -> Hit | None:
    blocks = ctx.whole("num_gpu_blocks_override")
    if blocks <= 0:
        return None
    return Hit(
        message=f"--num-gpu-blocks-override {blocks} replaces the number of blocks that fit.",
        effect="The pool no longer follows the memory left.",
        steps=(drop("--num-gpu-blocks-override"),),
    )
