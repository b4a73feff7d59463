"""Elastic expert parallelism behind a load balancer it does not work with.

## What happens
The engine refuses to start.

## Why
One API server coordinates scaling; ranks with a balancer of their own have several. From 0.33 an external balancer is
served, a hybrid one is not.

## Versions
>=0.17

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ (0.17.0 to 0.32.0; 0.33.0 line 983)

## Fix
Leave the balancing to vLLM, or take --enable-elastic-ep out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule(
    "fatal",
    flags=("--enable-elastic-ep", "--data-parallel-external-lb", "--data-parallel-hybrid-lb", "--data-parallel-rank"),
)
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_elastic_ep") is not True:
        return None
    external = ctx.arg("data_parallel_external_lb") is True or ctx.given("data_parallel_rank")
    hybrid = ctx.arg("data_parallel_hybrid_lb") is True
    if not hybrid and (not external or ctx.at_least(0, 33)):
        return None
    return Hit(
        message=f"--enable-elastic-ep is given with {'a hybrid' if hybrid else 'an external'} load balancer.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-elastic-ep"),),
    )
