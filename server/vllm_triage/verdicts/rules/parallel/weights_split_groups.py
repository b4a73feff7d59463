"""A quantized layer split within a scale's group.

## What happens
The engine stops while it builds the model.

## Why
One scale covers a group or a block of weights. A rank's share of the layer must hold whole ones.

## Versions
>=0.6.6

## Evidence
- vllm/model_executor/layers/quantization/awq.py and gptq.py, create_weights (0.6.6.post1 lines 102 and 115, 0.8.5 lines 103
  and 145, 0.18.0 lines 191
  and 250: the input size is not aligned with the quantized weight shape); fp8.py, Fp8LinearMethod.create_weights (0.8.5
  line 214) and utils/fp8_utils.py, validate_fp8_block_shape (0.15.0 line 1415, 0.33.0: the input of a
  row-parallel layer); vllm/distributed/utils.py, verify_group_size_divides_partition (0.33.0 line 137)
- https://github.com/vllm-project/vllm/issues/45784, https://github.com/vllm-project/vllm/issues/46230

## Fix
Lower --tensor-parallel-size; where fewer ranks do not hold the weights, add pipeline stages.
"""

from ....domain import ModelShape
from ...context import Context
from ...ranks import holds_weights
from ...rule import Hit, rule
from ._shards import need_scales, resize

_GROUPED = frozenset(("awq", "gptq", "compressed-tensors"))


@rule("fatal", flags=("--tensor-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    own, part = model.quantization, _split_part(ctx, model)
    if own is None or part is None:
        return None
    name, size = part
    unit = _unit(own.method, own.group, own.block)
    if unit is None or size % ctx.tp or (size // ctx.tp) % unit == 0:
        return None
    if own.method != "fp8" and size % unit:
        return None  # groups of a file that cannot be: its config is misread
    need_scales(ctx)
    fewer = _whole(size, unit, ctx.tp)
    stages = ctx.pp if holds_weights(ctx.deployment, fewer, ctx.pp) is not False else ctx.pp * ctx.tp // fewer
    return Hit(
        message=f"Tensor parallel size {ctx.tp} leaves {size // ctx.tp} of the {name}'s {size} to each rank; a scale of "
        f"{model.id} covers {unit}.",
        effect="vLLM stops while it builds the model.",
        steps=resize(ctx, (fewer, stages)),
    )


def _split_part(ctx: Context, model: ModelShape) -> tuple[str, int] | None:
    """The MLP every rank holds a share of, and its inner size: shared experts in a mixture of experts."""
    if ctx.tp <= 1:
        return None
    if model.moe is None:
        return None if model.intermediate is None else ("MLP", model.intermediate)
    if ctx.dp > 1:  # over data-parallel ranks shared experts may be kept whole
        return None
    for held in model.weights:
        inner, left = divmod(held.params, 3 * model.hidden * max(1, held.layers))  # gate, up and down
        if held.role == "shared_expert" and inner and not left:
            return "shared experts", inner
    return None


def _whole(size: int, unit: int, ranks: int) -> int:
    """The most ranks below `ranks` whose shares hold whole blocks; one rank is never checked."""
    return next((few for few in range(ranks - 1, 1, -1) if size % (few * unit) == 0 and ranks % few == 0), 1)


def _unit(method: str, group: int | None, block: tuple[int, int] | None) -> int | None:
    """Weights along the split side that stay together."""
    if method == "fp8":
        return None if block is None or block[0] != block[1] else block[0]
    return group if method in _GROUPED else None
