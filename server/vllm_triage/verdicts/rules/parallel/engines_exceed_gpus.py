"""More data-parallel engines than the node has GPUs for.

## What happens
A worker refuses to start: its rank is out of bounds.

## Why
Every local engine needs its own tensor- and pipeline-parallel ranks.

## Versions
>=0.11.1

## Evidence
- vllm/v1/worker/gpu_worker.py, Worker.init_device (0.18.0, 0.31.0: DP adjusted local rank is out of bounds)
- create_engine_config of no release checks it

## Fix
Lower --data-parallel-size, or say how many run here with --data-parallel-size-local.
"""

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--data-parallel-size", "--tensor-parallel-size"), needs=("gpu_count",))
def check(ctx: Context) -> Hit | None:
    if ctx.dp <= 1 or ctx.cpu or ctx.whole("nnodes", 1) > 1 or ctx.given("data_parallel_rank"):
        return None
    if ctx.arg("data_parallel_backend") == "ray" or ctx.arg("distributed_executor_backend") in (
        "ray",
        "external_launcher",
    ):
        return None
    local = ctx.whole("data_parallel_size_local") or ctx.dp
    each = ctx.tp * ctx.pp
    if ctx.arg("headless") is True or ctx.arg("data_parallel_external_lb") is True:
        return None
    count = ctx.need_gpu_count()
    if local * each <= count or each > count:
        return None
    return Hit(
        message=f"{local} local engines of {each} GPU{'s' if each > 1 else ''} each need {local * each}; the node has "
        f"{count}.",
        effect="A worker stops: its local rank is out of bounds.",
        steps=(put("--data-parallel-size", max(1, count // each)), drop("--data-parallel-size-local")),
    )
