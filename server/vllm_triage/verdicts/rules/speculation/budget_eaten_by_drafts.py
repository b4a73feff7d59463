"""Drafting slots eat almost the whole token budget.

## What happens
The engine runs, but each step may schedule only a handful of tokens; throughput collapses without an error.

## Why
From 0.17 to 0.27 the scheduler's budget is `max_num_batched_tokens` less the drafting slots of `max_num_seqs`
sequences. With a budget barely above `max_num_seqs` one token per step is left.

## Versions
>=0.17,<0.28

## Evidence
- vllm/config/vllm.py, VllmConfig._set_max_num_scheduled_tokens (0.18.0 lines 1256-1285)
- the Scheduler of 0.18.0, 0.20.2 and 0.27.1 run with 257 tokens and 256 sequences: one token per step; 256 per step
  in 0.28.0

## Fix
Raise --max-num-batched-tokens well above the slots taken, or lower --max-num-seqs.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--max-num-batched-tokens", "--max-num-seqs", "--speculative-config"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.slots == 0:
        return None
    budget, seqs = ctx.need_number("max_num_batched_tokens"), ctx.need_number("max_num_seqs")
    left = budget - spec.slots * seqs
    if left <= 0 or left >= budget / 2:
        return None
    enough = max(2048, 1 << (4 * spec.slots * seqs - 1).bit_length())
    return Hit(
        message=f"{seqs} sequences x {spec.slots} drafting slots leave {left} of the {budget} tokens of a step for "
        "prompts and decoding.",
        effect=f"A 1000-token prompt takes {-(-1000 // left)} steps to prefill.",
        steps=(put("--max-num-batched-tokens", enough),),
        changed=(("max_num_scheduled_tokens", budget, left),),
    )
