"""Experts of an AWQ or GPTQ checkpoint split within a scale's group.

## What happens
The engine starts with slower kernels for the experts, or stops at the first request in some releases.

## Why
One scale covers a group of inputs, and Marlin's kernel for experts wants whole groups on each rank. The MoE WNA16
kernels take over, with smaller groups.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/gptq_marlin.py (0.8.5 line 161, 0.18.0 line 250) and auto_gptq.py (0.33.0
  line 246): falling back to Moe WNA16 kernels; utils/marlin_utils.py, check_moe_marlin_supports_layer
- https://github.com/vllm-project/vllm/issues/17604

## Fix
Keep experts whole with --enable-expert-parallel, or split them over fewer ranks.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ._shards import expert_shard, need_scales


@rule(
    "degraded", flags=("--tensor-parallel-size", "--data-parallel-size", "--enable-expert-parallel"), needs=("model",)
)
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    own, shard = model.quantization, expert_shard(ctx)
    if own is None or own.method not in ("awq", "gptq") or own.group is None or shard is None:
        return None
    size, ranks = shard
    if size % max(64, own.group) == 0:
        return None
    need_scales(ctx)
    return Hit(
        message=f"{ranks} ranks leave {size} of an expert's {size * ranks} each; a scale of {model.id} covers "
        f"{own.group} inputs.",
        effect="Experts run on the MoE WNA16 kernels, slower than Marlin's.",
        steps=(put("--enable-expert-parallel", True),),
    )
