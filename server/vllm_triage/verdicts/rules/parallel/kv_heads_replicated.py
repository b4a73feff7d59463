"""More tensor-parallel ranks than KV heads.

## What happens
The engine starts; KV heads are copied, so the pool stops growing with the ranks.

## Why
A rank holds at least one KV head.

## Versions
>=0.6.6

## Evidence
- vllm/config/model.py, ModelConfig.get_num_kv_heads (0.18.0 line 1161, 0.31.0 line 1608)

## Fix
Split the model over fewer ranks, add replicas, or use decode context parallelism to split the copies by context.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("degraded", flags=("--tensor-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.tp <= 1:
        return None
    model = ctx.need_model()
    if model.uses_mla or not 0 < model.kv_heads < ctx.tp or ctx.dcp > 1:
        return None
    copies = ctx.tp // model.kv_heads
    return Hit(
        message=f"{model.id} has {model.kv_heads} KV heads on {ctx.tp} ranks: each is kept {copies} times.",
        effect=f"The KV pool holds what {model.kv_heads} ranks would hold.",
        steps=(put("--tensor-parallel-size", model.kv_heads),),
        fix=f"`--tensor-parallel-size {model.kv_heads}` and more replicas, or `--decode-context-parallel-size "
        f"{copies}`.",
    )
