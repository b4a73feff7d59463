"""More seats than the pool of a hybrid model has blocks.

## What happens
The engine stops when it captures CUDA graphs, after the weights are loaded.

## Why
A running sequence of a hybrid model keeps its state in a block of its own. Full CUDA graphs of decode are captured for as
many sequences as there are seats, so there must be as many blocks.

## Versions
>=0.20

## Evidence
- vllm/config/compilation.py, CompilationConfig.resolve_cudagraph_mode_and_sizes (0.20.0, 0.28.0 line 1504, 0.33.0 line 1517)
- arithmetic: the pool as predicted; the rule fires only where even its upper end has too few blocks

## Fix
Lower --max-num-seqs, or raise --gpu-memory-utilization.
"""

from ....engine.kv_groups import UngroupableError
from ...context import Context
from ...rule import Hit, put, rule


@rule(
    "degraded",
    flags=("--max-num-seqs", "--gpu-memory-utilization", "--enforce-eager"),
    needs=("model", "gpu"),
    starts=False,
)  # fmt: skip
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    if not model.is_hybrid or "FULL" not in str(ctx.setting("cudagraph_mode") or ""):
        return None
    gpu, seats, terms = ctx.need_gpu(), ctx.number("max_num_seqs"), ctx.budget
    if terms is None or seats is None or gpu.vendor != "nvidia" or ctx.given("num_gpu_blocks_override"):
        return None
    high = _blocks(ctx, terms.pool.high)
    if not high or seats <= high:
        return None
    return Hit(
        message=f"max_num_seqs is {seats}, and the pool of {model.id} on {gpu.name} has about {high} blocks, one for each "
        "running sequence.",
        effect="The engine stops while it captures CUDA graphs.",
        steps=(put("--max-num-seqs", max(1, _blocks(ctx, terms.pool.low) or 1)),),
    )


def _blocks(ctx: Context, gib: float) -> int | None:
    try:
        return ctx.sizing.plan(max(gib, 0.0)).blocks
    except UngroupableError:
        return None
