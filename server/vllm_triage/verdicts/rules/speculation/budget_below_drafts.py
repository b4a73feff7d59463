"""The token budget does not hold one sequence's drafting slots.

## What happens
The engine refuses to start.

## Why
From 0.28 each sequence takes its slots out of the step as it is scheduled, so a step must hold more than those of one
sequence.

## Versions
>=0.28

## Evidence
- vllm/config/vllm.py, VllmConfig._set_max_num_scheduled_tokens (0.28.0 line 1871, 0.31.0 line 2382, 0.33.0 line 2371),
  num_lookahead_tokens (0.33.0 line 626)
- create_engine_config of 0.33.0 on a budget of 1 with MTP

## Fix
Raise --max-num-batched-tokens.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--max-num-batched-tokens", "--speculative-config"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or not ctx.given("max_num_batched_tokens"):
        return None
    slots = spec.lookahead if ctx.at_least(0, 33) else spec.slots
    budget = ctx.need_number("max_num_batched_tokens")
    if slots == 0 or budget > slots:
        return None
    return Hit(
        message=f"max_num_batched_tokens {budget} does not exceed the {slots} drafting slots of one sequence.",
        effect="vLLM stops before loading.",
        steps=(put("--max-num-batched-tokens", 2048),),
    )
