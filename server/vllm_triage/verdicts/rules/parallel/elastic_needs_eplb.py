"""Elastic expert parallelism without the load balancer.

## What happens
The engine refuses to start.

## Why
Scaling moves experts, which the balancer does.

## Versions
>=0.17

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ (0.18.0, 0.31.0, 0.33.0)

## Fix
Add --enable-eplb.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-elastic-ep", "--enable-eplb"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_elastic_ep") is not True or ctx.arg("enable_eplb") is True:
        return None
    return Hit(
        message="--enable-elastic-ep is given without --enable-eplb.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-elastic-ep"),),
        fix="Add `--enable-eplb` (and `--enable-expert-parallel`), or remove `--enable-elastic-ep`.",
    )
