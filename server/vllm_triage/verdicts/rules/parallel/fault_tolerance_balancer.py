"""Fault tolerance without an external load balancer.

## What happens
The engine refuses to start.

## Why
One client manages the engines that may fail, so each rank is served by one API server behind a balancer that is not
vLLM's.

## Versions
>=0.27

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.28.0 line 2117, 0.33.0 line 2451); vllm/config/parallel.py,
  ParallelConfig._validate_parallel_config (0.28.0 line 460, 0.33.0 line 531)

## Fix
Start each rank with --data-parallel-rank and one API server, or take --enable-fault-tolerance out.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule(
    "fatal",
    flags=("--enable-fault-tolerance", "--data-parallel-external-lb", "--data-parallel-rank", "--api-server-count"),
)
def check(ctx: Context) -> Iterator[Hit]:
    if ctx.arg("enable_fault_tolerance") is not True:
        return
    servers = ctx.whole("api_server_count", 1)
    if servers > 1:
        yield Hit(
            message=f"--enable-fault-tolerance is given with --api-server-count {servers}.",
            effect="vLLM stops before loading.",
            flags=("--enable-fault-tolerance", "--api-server-count"),
            steps=(put("--api-server-count", 1),),
        )
    if ctx.arg("data_parallel_external_lb") is not True and not ctx.given("data_parallel_rank"):
        yield Hit(
            message="--enable-fault-tolerance is given without an external load balancer.",
            effect="vLLM stops before loading.",
            flags=("--enable-fault-tolerance", "--data-parallel-external-lb"),
            steps=(drop("--enable-fault-tolerance"),),
        )
