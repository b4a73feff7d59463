"""An option of launching workers that the executor in force does not have.

## What happens
The engine refuses to start.

## Why
Nodes are joined by the multiprocessing executor; Ray has its own way. Nsight is started by Ray.

## Versions
>=0.11.1

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ and _verify_args (0.11.1, 0.28.0 lines 968 and 1032, 0.33.0 lines 1111
  and 1174); vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.28.0 line 2055: headless)

## Fix
Take the option out, or name the other executor.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule


@rule(
    "fatal",
    flags=("--nnodes", "--distributed-executor-backend", "--ray-workers-use-nsight", "--headless", "--data-parallel-hybrid-lb"),
)
def check(ctx: Context) -> Iterator[Hit]:
    executor, effect = ctx.arg("distributed_executor_backend"), "vLLM stops before loading."
    ray = executor == "ray" or ctx.arg("data_parallel_backend") == "ray"
    nodes = ctx.whole("nnodes", 1)
    if nodes > 1 and executor == "ray":
        yield Hit(
            message=f"--nnodes {nodes} is given with --distributed-executor-backend ray.", effect=effect,
            flags=("--nnodes", "--distributed-executor-backend"), steps=(drop("--distributed-executor-backend"),),
        )  # fmt: skip
    if ctx.arg("ray_workers_use_nsight") is True and not ray and (executor is not None or ctx.tp * ctx.pp == 1):
        yield Hit(
            message="--ray-workers-use-nsight is given, and workers do not run with Ray.", effect=effect,
            flags=("--ray-workers-use-nsight",), steps=(drop("--ray-workers-use-nsight"),),
        )  # fmt: skip
    if ctx.arg("headless") is True and ctx.arg("data_parallel_hybrid_lb") is True:
        yield Hit(
            message="--headless is given with --data-parallel-hybrid-lb: a headless node balances nothing.", effect=effect,
            flags=("--headless", "--data-parallel-hybrid-lb"), steps=(drop("--data-parallel-hybrid-lb"),),
        )  # fmt: skip
