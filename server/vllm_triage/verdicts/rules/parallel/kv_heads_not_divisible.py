"""KV heads that do not divide by the tensor parallel size, or into it.

## What happens
Loading stops: a number is not divisible.

## Why
Each rank gets whole KV heads, or all ranks get copies of whole ones.

## Versions
all

## Evidence
- vllm/model_executor/layers/linear.py, QKVParallelLinear.__init__ (0.6.6.post1 to 0.33.0) and the models' attention, such
  as LlamaAttention in vllm/model_executor/models/llama.py; num_heads % num_kv_heads in vllm/attention/layer.py (0.9.2)

## Fix
Choose a size the KV heads divide by, or a multiple of their number.
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
    heads = model.kv_heads
    if model.uses_mla or model.is_pooling or heads <= 0 or (model.q_heads or 0) % ctx.tp:
        return None  # heads-not-divisible tells the last
    if heads % ctx.tp == 0 or ctx.tp % heads == 0:
        return None
    return Hit(
        message=f"{model.id} has {heads} KV heads, which neither divide by tensor parallel size {ctx.tp} nor into it.",
        effect="vLLM stops while it builds the model.",
        steps=resize(ctx, fitting(ctx.deployment, ctx.tp, ctx.pp, ctx.deployment.gpu_count)),
    )
