"""Returning routed experts across context or pipeline ranks.

## What happens
The engine refuses to start.

## Why
The record of each token's experts is gathered on one rank only.

## Versions
>=0.22

## Evidence
- vllm/config/vllm.py (0.31.0 line 1199, 0.33.0 line 1226); vllm/v1/core/sched/scheduler.py (0.18.0 line 250)

## Fix
Take --enable-return-routed-experts out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-return-routed-experts", "--decode-context-parallel-size", "--pipeline-parallel-size"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_return_routed_experts") is not True:
        return None
    if ctx.dcp <= 1 and ctx.whole("prefill_context_parallel_size", 1) <= 1 and not (ctx.pp > 1 and ctx.at_least(0, 31)):
        return None
    return Hit(
        message="--enable-return-routed-experts is given with context or pipeline parallelism.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-return-routed-experts"),),
    )
