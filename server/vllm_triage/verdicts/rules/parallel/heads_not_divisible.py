"""Attention heads do not divide by the tensor parallel size.

## What happens
The engine refuses to start.

## Why
Each rank takes the same number of query heads.

## Versions
all

## Evidence
- vllm/config/model.py, ModelConfig.verify_with_parallel_config (0.18.0 line 1072, 0.31.0 line 1505, 0.33.0 line 1560)
- https://github.com/vllm-project/vllm/issues/4232
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Use a tensor parallel size that divides the number of heads and whose ranks still hold the weights.
"""

from ...context import Context
from ...ranks import fitting
from ...rule import Hit, rule
from ._shards import resize


@rule("fatal", flags=("--tensor-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.tp <= 1:
        return None
    model = ctx.need_model()
    if not model.q_heads or model.q_heads % ctx.tp == 0:
        return None
    return Hit(
        message=f"{model.id} has {model.q_heads} attention heads, which do not divide by tensor parallel size "
        f"{ctx.tp}.",
        effect="vLLM stops before loading.",
        steps=resize(ctx, fitting(ctx.deployment, ctx.tp, ctx.pp, ctx.deployment.gpu_count)),
    )
