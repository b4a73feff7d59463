"""The token budget is smaller than the number of sequences.

## What happens
The engine refuses to start.

## Why
Every running sequence decodes at least one token per step, so a step must hold `max_num_seqs` tokens.

## Versions
all

## Evidence
- vllm/config/scheduler.py, SchedulerConfig.verify_max_model_len (0.18.0 line 266, 0.31.0 line 330, 0.33.0 line 332)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Raise --max-num-batched-tokens or lower --max-num-seqs.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--max-num-batched-tokens", "--max-num-seqs"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if not ctx.given("max_num_seqs"):  # left to its default it is lowered to the budget
        return None
    seats = ctx.need_number("max_num_seqs")
    budget = ctx.need_number("max_num_batched_tokens")
    if seats < 1 or not 1 <= budget < seats:
        return None
    return Hit(
        message=f"max_num_batched_tokens {budget} is smaller than max_num_seqs {seats}.",
        effect="vLLM stops before loading.",
        steps=(put("--max-num-seqs", budget),),
        fix=f"`--max-num-seqs {budget}`, or a token budget of at least {seats}.",
    )
