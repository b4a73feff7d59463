"""Redundant experts without the load balancer.

## What happens
The engine refuses to start.

## Why
Redundant experts are placed by the balancer.

## Versions
>=0.10

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.18.0 line 404, 0.31.0 line 557, 0.33.0 line
  587)

## Fix
Set num_redundant_experts to 0, or turn --enable-eplb on.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--eplb-config", "--enable-eplb"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("eplb_config")
    spare = config.get("num_redundant_experts")
    if ctx.arg("enable_eplb") is True or not isinstance(spare, int) or spare == 0:
        return None
    return Hit(
        message=f"num_redundant_experts is {spare} but --enable-eplb is not given.",
        effect="vLLM stops before loading.",
        steps=(put("--eplb-config", {**config, "num_redundant_experts": 0}),),
    )
