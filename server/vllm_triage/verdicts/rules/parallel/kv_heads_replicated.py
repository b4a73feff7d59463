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

from ....domain import FixStep
from ...context import Context
from ...ranks import holds_weights
from ...rule import Hit, put, rule
from .dcp_backend import without_lse


@rule("degraded", flags=("--tensor-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.tp <= 1:
        return None
    model = ctx.need_model()
    if model.uses_mla or not 0 < model.kv_heads < ctx.tp or ctx.dcp > 1:
        return None
    copies = ctx.tp // model.kv_heads
    if copies < 2 or ctx.tp % model.kv_heads:
        return None  # heads-not-divisible tells it
    roomy = holds_weights(ctx.deployment, model.kv_heads, ctx.pp) is not False
    by_context = ctx.at_least(0, 12) and (model.q_heads // model.kv_heads) % copies == 0
    by_context = by_context and without_lse(ctx) is None
    ways = [f"`--tensor-parallel-size {model.kv_heads}` and more replicas"] if roomy else []
    ways += [f"`--decode-context-parallel-size {copies}`"] if by_context else []
    return Hit(
        message=f"{model.id} has {model.kv_heads} KV heads on {ctx.tp} ranks: each is kept {copies} times.",
        effect=f"The KV pool holds what {model.kv_heads} ranks would hold.",
        steps=_steps(model.kv_heads if roomy else None, copies if by_context else None),
        fix=(", or ".join(ways) or "Leave it: fewer ranks do not hold the weights") + ".",
    )


def _steps(fewer: int | None, parts: int | None) -> tuple[FixStep, ...]:
    """Fewer ranks where they hold the weights, else the copies split by context."""
    if fewer is not None:
        return (put("--tensor-parallel-size", fewer),)
    return () if parts is None else (put("--decode-context-parallel-size", parts),)
