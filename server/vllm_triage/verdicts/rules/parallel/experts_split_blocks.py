"""Experts of an FP8 checkpoint split within a scale's block.

## What happens
The engine stops while it builds the model: the output size of gate and up is not divisible by the block.

## Why
One scale covers a block of 128 x 128 weights. A rank's share of an expert must hold whole blocks. From 0.29 the scales
are refined where a block of 32 or more fits.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/fp8.py, Fp8MoEMethod.create_weights (0.8.5 line 476, 0.18.0 line 715, 0.28.0);
  vllm/model_executor/layers/fused_moe/oracle/fp8.py, refine_fp8_moe_block_shape (0.29.0, 0.33.0)
- https://github.com/vllm-project/vllm/issues/17569

## Fix
Keep experts whole with --enable-expert-parallel, or split them over fewer ranks.
"""

from math import gcd

from ...context import Context
from ...rule import Hit, put, rule
from ._shards import expert_shard


@rule("fatal", flags=("--tensor-parallel-size", "--data-parallel-size", "--enable-expert-parallel"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    own, shard = model.quantization, expert_shard(ctx)
    if own is None or own.method != "fp8" or own.block is None or shard is None:
        return None
    size, ranks = shard
    if size % own.block[0] == 0 and size % own.block[1] == 0:
        return None
    if ctx.at_least(0, 29) and gcd(*own.block, size, model.hidden) >= 32:
        return None
    return Hit(
        message=f"{ranks} ranks leave {size} of an expert's {size * ranks} each; the scales of {model.id} cover "
        f"blocks of {own.block[0]} x {own.block[1]}.",
        effect="vLLM stops while it builds the model.",
        steps=(put("--enable-expert-parallel", True),),
    )
