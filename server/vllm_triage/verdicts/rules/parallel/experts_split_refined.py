"""Experts of an FP8 checkpoint split within a scale's block, with refined scales.

## What happens
The engine starts; scales are repeated over smaller blocks, and only Triton kernels multiply the experts.

## Why
A rank's share of an expert is no whole number of blocks. The other kernels want blocks of 128 x 128.

## Versions
>=0.29

## Evidence
- vllm/model_executor/layers/fused_moe/oracle/fp8.py, refine_fp8_moe_block_shape (0.29.0, 0.33.0)

## Fix
Keep experts whole with --enable-expert-parallel, or split them over fewer ranks.
"""

from math import gcd

from ...context import Context
from ...rule import Hit, put, rule
from ._shards import expert_shard


@rule(
    "degraded", flags=("--tensor-parallel-size", "--data-parallel-size", "--enable-expert-parallel"), needs=("model",)
)
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    own, shard = model.quantization, expert_shard(ctx)
    if own is None or own.method != "fp8" or own.block is None or shard is None:
        return None
    size, ranks = shard
    fine = gcd(*own.block, size, model.hidden)
    if (size % own.block[0] == 0 and size % own.block[1] == 0) or fine < 32:
        return None
    return Hit(
        message=f"{ranks} ranks leave {size} of an expert's {size * ranks} each, no whole number of blocks of "
        f"{own.block[0]} x {own.block[1]}; scales are refined to {fine} x {fine}.",
        effect="Experts run on Triton kernels alone.",
        steps=(put("--enable-expert-parallel", True),),
    )
