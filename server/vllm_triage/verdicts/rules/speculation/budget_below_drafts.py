"""The token budget does not hold one sequence's drafting slots.

## What happens
The engine refuses to start.

## Why
From 0.28 each sequence takes its slots out of the step as it is scheduled, so a step must hold more than those of one
sequence.

## Versions
>=0.28

## Evidence
- vllm/config/vllm.py, VllmConfig._set_max_num_scheduled_tokens (0.31.0 line 2382, 0.33.0 line 2372)

## Fix
Raise --max-num-batched-tokens.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--max-num-batched-tokens", "--speculative-config"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.slots == 0 or not ctx.given("max_num_batched_tokens"):
        return None
    budget = ctx.need_number("max_num_batched_tokens")
    if budget > spec.slots:
        return None
    return Hit(
        message=f"max_num_batched_tokens {budget} does not exceed the {spec.slots} drafting slots of one sequence.",
        effect="vLLM stops before loading.",
        steps=(put("--max-num-batched-tokens", 2048),),
    )
