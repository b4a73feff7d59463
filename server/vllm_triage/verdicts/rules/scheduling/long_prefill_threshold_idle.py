"""A long-prefill threshold at or above the token budget.

## What happens
Nothing: a step never gives one prompt more than the budget anyway.

## Why
The threshold caps one prompt's share of a step.

## Versions
>=0.9

## Evidence
- vllm/v1/core/sched/scheduler.py, Scheduler.schedule (0.18.0 line 380)

## Fix
Lower it below the budget, or leave it out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("advice", flags=("--long-prefill-token-threshold", "--max-num-batched-tokens"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    threshold = ctx.whole("long_prefill_token_threshold")
    if threshold <= 0:
        return None
    budget = ctx.need_number("max_num_batched_tokens")
    if threshold < budget:
        return None
    return Hit(
        message=f"long_prefill_token_threshold {threshold} is not below the {budget} tokens of a step.",
        effect="None.",
        steps=(drop("--long-prefill-token-threshold"),),
    )
