"""A vocabulary or an MLP that does not divide by the tensor parallel size.

## What happens
Loading stops: a number is not divisible.

## Why
Each rank holds an equal share of the embedding's rows, padded to 64, and of a dense model's inner columns.

## Versions
>=0.6.6

## Evidence
- vllm/model_executor/layers/vocab_parallel_embedding.py, VocabParallelEmbedding.__init__, and linear.py,
  ColumnParallelLinear.__init__ (0.6.6.post1 to 0.33.0): divide() of vllm/distributed/utils.py asserts

## Fix
Use a tensor parallel size that divides both and whose ranks still hold the weights.
"""

from math import ceil

from ...context import Context
from ...ranks import VOCAB_STEP, fitting
from ...rule import Hit, rule
from ._shards import resize


@rule("fatal", flags=("--tensor-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.tp <= 1 or ctx.arg("enable_lora") is True:
        return None
    model = ctx.need_model()
    if (model.q_heads or 0) % ctx.tp:
        return None
    rows = ceil((model.vocab or 0) / VOCAB_STEP) * VOCAB_STEP
    inner = (model.intermediate or 0) if model.moe is None and not model.is_hybrid else 0
    sizes = ((rows, "rows of the vocabulary"), (inner, "columns of the MLP"))
    odd = [f"{size} {what}" for size, what in sizes if size % ctx.tp]
    if not odd:
        return None
    return Hit(
        message=f"{' and '.join(odd)} of {model.id} do not divide by tensor parallel size {ctx.tp}.",
        effect="vLLM stops while it builds the model.",
        steps=resize(ctx, fitting(ctx.deployment, ctx.tp, ctx.pp, ctx.deployment.gpu_count)),
    )
