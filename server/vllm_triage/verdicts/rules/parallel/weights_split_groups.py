"""A quantized layer split within a scale's group.

## What happens
The engine stops while it builds the model.

## Why
One scale covers a group or a block of weights. A rank's share of the layer must hold whole ones.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/awq.py and gptq.py, create_weights (0.8.5 lines 103 and 145, 0.18.0 lines 191
  and 250: the input size is not aligned with the quantized weight shape); fp8.py, Fp8LinearMethod.create_weights (0.8.5
  line 214) and utils/fp8_utils.py, validate_fp8_block_shape (0.18.0, 0.33.0); vllm/distributed/utils.py,
  verify_group_size_divides_partition (0.33.0 line 137)
- https://github.com/vllm-project/vllm/issues/46230

## Fix
Lower --tensor-parallel-size; where fewer ranks do not hold the weights, add pipeline stages.
"""

from ...context import Context
from ...ranks import holds_weights
from ...rule import Hit, rule
from ._shards import need_scales, resize

_GROUPED = frozenset(("awq", "gptq", "compressed-tensors"))


@rule("fatal", flags=("--tensor-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    own, size = model.quantization, model.intermediate
    if own is None or model.moe is not None or size is None or ctx.tp <= 1 or size % ctx.tp:
        return None
    unit = _unit(own.method, own.group, own.block)
    if unit is None or size % unit or (size // ctx.tp) % unit == 0:
        return None
    need_scales(ctx)
    fewer = next(ranks for ranks in range(ctx.tp - 1, 0, -1) if size % (ranks * unit) == 0 and ctx.tp % ranks == 0)
    stages = ctx.pp if holds_weights(ctx.deployment, fewer, ctx.pp) is not False else ctx.pp * ctx.tp // fewer
    return Hit(
        message=f"Tensor parallel size {ctx.tp} leaves {size // ctx.tp} of the MLP's {size} to each rank; a scale of "
        f"{model.id} covers {unit}.",
        effect="vLLM stops while it builds the model.",
        steps=resize(ctx, (fewer, stages)),
    )


def _unit(method: str, group: int | None, block: tuple[int, int] | None) -> int | None:
    """Weights along the split side that stay together."""
    if method == "fp8":
        return None if block is None or block[0] != block[1] else block[0]
    return group if method in _GROUPED else None
