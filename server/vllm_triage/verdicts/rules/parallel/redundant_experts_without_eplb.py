"""Redundant experts without the load balancer.

## What happens
The engine refuses to start.

## Why
Redundant experts are placed by the balancer.

## Versions
>=0.10.2

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ (0.10.2 line 369) and
  _validate_parallel_config (0.18.0 line 404, 0.31.0 line 557, 0.33.0 line
  587)

## Fix
Set num_redundant_experts to 0, or turn --enable-eplb on.
"""

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--eplb-config", "--enable-eplb"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("eplb_config")
    own = ctx.arg("num_redundant_experts")  # a flag of its own, outranking the object, until 0.11
    spare = config.get("num_redundant_experts") if own is None else own
    if ctx.arg("enable_eplb") is True or not isinstance(spare, int) or spare == 0:
        return None
    step = put("--eplb-config", {**config, "num_redundant_experts": 0}) if own is None else drop("--num-redundant-experts")
    return Hit(
        message=f"num_redundant_experts is {spare} but --enable-eplb is not given.",
        effect="vLLM stops before loading.",
        steps=(step,),
    )
