"""More ranks than GPUs in the node.

## What happens
The engine refuses to start.

## Why
Without Ray or --nnodes every rank must be a local GPU.

## Versions
>=0.11

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ (0.18.0 line 775, 0.31.0 line 1006, 0.33.0 line 1071)
- create_engine_config of 0.18.0 to 0.33.0 on tensor 8 x pipeline 2 with eight GPUs

## Fix
Lower the tensor or pipeline parallel size, or span nodes with --nnodes or Ray.
"""

from ...context import Context
from ...ranks import Ranks, fitting, holds_weights
from ...rule import Hit, rule
from ._shards import resize

_ELSEWHERE = ("ray", "external_launcher")


@rule(
    "fatal",
    flags=("--tensor-parallel-size", "--pipeline-parallel-size", "--distributed-executor-backend"),
    needs=("gpu_count",),
)
def check(ctx: Context) -> Hit | None:
    ranks = ctx.tp * ctx.pp * ctx.whole("prefill_context_parallel_size", 1)
    if ranks <= 1 or ctx.arg("distributed_executor_backend") in _ELSEWHERE or ctx.whole("nnodes", 1) > 1 or ctx.cpu:
        return None
    count = ctx.need_gpu_count()
    if ranks <= count:
        return None
    fits = _within(ctx, count)
    return Hit(
        message=f"Tensor x pipeline parallel size is {ranks}, the node has {count} GPU{'s' if count > 1 else ''}.",
        effect="vLLM stops before loading: the world size is larger than the number of GPUs.",
        steps=resize(ctx, fits),
        fix="Lower the sizes to what the node has, or span nodes with --nnodes and --node-rank or with "
        "--distributed-executor-backend ray.",
    )


def _within(ctx: Context, count: int) -> Ranks:
    """The sizes that use the node: as they are but for the stages, else those that hold the weights."""
    if ctx.tp <= count and holds_weights(ctx.deployment, ctx.tp, 1) is not False:
        return ctx.tp, 1
    return fitting(ctx.deployment, count + 1, 1, count) if ctx.model is not None else (1 << (count.bit_length() - 1), 1)
