"""A block size that does not divide the chunk of local attention.

## What happens
The engine stops at its first step.

## Why
Layers with local attention see each chunk as a request of its own, so a chunk must be whole blocks.

## Versions
>=0.8.5

## Evidence
- vllm/v1/attention/backends/flash_attn.py (0.8.5) and utils.py (0.9.0 to 0.33.0), make_local_attention_virtual_batches:
  attn_chunk_size is not divisible by block_size

## Fix
Leave --block-size out, or give a power of two.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--block-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    block = ctx.whole("block_size")
    if block <= 0:
        return None
    for run in ctx.need_model().runs:
        if run.kind == "chunked_local" and run.window and run.window % block:
            return Hit(
                message=f"--block-size {block} does not divide the {run.window} tokens of a local chunk of {ctx.need_model().id}.",
                effect="vLLM stops at its first step.",
                steps=(drop("--block-size"),),
            )
    return None
