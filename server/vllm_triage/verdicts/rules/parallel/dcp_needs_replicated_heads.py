"""Decode context parallelism on a model whose KV heads are not replicated.

## What happens
The engine refuses to start.

## Why
With grouped-query attention the context is split over ranks that hold the same KV head, so tensor parallelism must
exceed the number of KV heads, and at most TP / KV heads ranks can share one. MLA keeps one latent per token on every
rank and is not limited this way.

## Versions
>=0.12

## Evidence
- vllm/config/model.py, ModelConfig.verify_with_parallel_config (0.18.0 lines 1093-1107, 0.31.0 lines 1527-1550,
  0.33.0 lines 1582-1605)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Take --decode-context-parallel-size out, or raise the tensor parallel size.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--decode-context-parallel-size", "--tensor-parallel-size"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.dcp <= 1 or ctx.tp % ctx.dcp:
        return None
    model = ctx.need_model()
    if model.uses_mla or not model.kv_heads:
        return None
    most = ctx.tp // model.kv_heads if ctx.tp > model.kv_heads else 0
    if ctx.dcp <= most and (model.q_heads // model.kv_heads) % ctx.dcp == 0:
        return None
    return Hit(
        message=f"{model.id} has {model.kv_heads} KV heads; with tensor parallel size {ctx.tp} decode context "
        "parallel size "
        f"{ctx.dcp} is not possible" + (f" (at most {most})." if most else "."),
        effect="vLLM stops before loading.",
        steps=(drop("--decode-context-parallel-size"),),
    )
