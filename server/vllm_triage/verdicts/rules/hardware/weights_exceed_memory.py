"""The weights alone do not fit.

## What happens
The configuration is accepted; loading then runs out of device memory.

## Why
Weights are split over tensor- and pipeline-parallel ranks only. What is left of each device after them is all there
is for activations, graphs and the KV pool.

## Versions
>=0.6.6

## Evidence
- arithmetic: parameters x bytes per weight / ranks against the device's memory; vllm/v1/worker/gpu_worker.py,
  Worker.determine_available_memory (0.18.0) for what the rest is used for

## Fix
More ranks, a quantized checkpoint, or a GPU with more memory.
"""

from ....domain import FixStep
from ....engine.deployment import redeploy
from ....engine.weights import weights_of
from ...context import Context
from ...ranks import sizes
from ...rule import Hit, put, rule
from ..parallel import dcp_needs_replicated_heads, experts_split_blocks, experts_split_groups, weights_split_groups

MOST_RANKS = 64
"""No model of the catalogue needs more of any device."""


@rule(
    "degraded", flags=("--tensor-parallel-size", "--pipeline-parallel-size"), needs=("model", "gpu"), starts=False
)
def check(ctx: Context) -> Hit | None:
    model, gpu = ctx.need_model(), ctx.need_gpu()
    if model.params_total is None or gpu.memory_mib is None or gpu.vendor == "cpu":
        return None
    if ctx.arg("cpu_offload_gb") or ctx.whole("offload_group_size"):
        return None
    stored = model.quantization
    bits = stored.weight_bits if stored is not None and stored.weight_bits else model.dtype_bytes * 8
    if ctx.arg("quantization") in ("fp8", "experts_int8", "int8", "fp8_per_tensor", "fp8_per_block"):
        bits = min(bits, 8)
    elif ctx.given("quantization"):
        return None
    ranks = ctx.tp * ctx.pp * ctx.dp
    # Knows which weights are copied, and the experts spread over data-parallel ranks.
    held = weights_of(ctx.deployment, model)
    each = held.total / 2**30 if held is not None else model.params_total * bits / 8 / (ctx.tp * ctx.pp) / 2**30
    have = gpu.memory_mib / 1024
    if each < have:
        return None
    gib = model.params_total * bits / 8 / 2**30
    need = next((size for size in sizes(model, MOST_RANKS) if gib / size / ctx.pp <= 0.8 * have), MOST_RANKS)
    available = ctx.deployment.gpu_count
    return Hit(
        message=f"{model.id} needs {each:.1f} GiB of weights on each of {ranks} rank{'s' if ranks > 1 else ''}; "
        f"{gpu.name} has {have:.1f} GiB.",
        effect="Loading stops with an out-of-memory error.",
        steps=_steps(ctx, need, (available or MOST_RANKS) // ctx.pp),
        fix=f"At least {need * ctx.pp} GPUs of this kind (`--tensor-parallel-size {need}`), or a quantized checkpoint.",
    )


def _steps(ctx: Context, least: int, most: int) -> tuple[FixStep, ...]:
    """The first size from `least` to `most` over which this launch divides; nothing where there is none."""
    against = (dcp_needs_replicated_heads, experts_split_blocks, experts_split_groups, weights_split_groups)
    for size in sizes(ctx.need_model(), most):
        if size < least:
            continue
        after = Context(redeploy(ctx.deployment, {"tensor_parallel_size": size}))
        held = weights_of(after.deployment, ctx.need_model())
        if held is not None and held.total / 2**30 >= (ctx.need_gpu().memory_mib or 0) / 1024:
            continue
        if not any(module.check.check(after) for module in against):
            return (put("--tensor-parallel-size", size),)
    return ()
