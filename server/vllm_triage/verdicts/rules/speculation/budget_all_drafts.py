"""Drafting slots take the whole token budget.

## What happens
From 0.20 the engine refuses to start. In 0.17 to 0.19 it starts: with nothing left the drafts are unbudgeted, with
less than nothing no request is ever scheduled.

## Why
The scheduler's budget is `max_num_batched_tokens` less the drafting slots of `max_num_seqs` sequences, and must stay
positive.

## Versions
>=0.17,<0.28

## Evidence
- vllm/config/vllm.py, VllmConfig._set_max_num_scheduled_tokens (0.18.0 lines 1256-1285; the refusal is in 0.20.2)
- create_engine_config of 0.20.2 and 0.27.1 on 256 tokens and 256 sequences with a draft model; the Scheduler of
  0.18.0 on the same

## Fix
Raise --max-num-batched-tokens well above the slots taken.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--max-num-batched-tokens", "--max-num-seqs", "--speculative-config"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.slots == 0:
        return None
    budget, seqs = ctx.need_number("max_num_batched_tokens"), ctx.need_number("max_num_seqs")
    left = budget - spec.slots * seqs
    if left > 0 or (left == 0 and not ctx.at_least(0, 20)):
        return None
    enough = max(2048, 1 << (4 * spec.slots * seqs - 1).bit_length())
    return Hit(
        message=f"{seqs} sequences x {spec.slots} drafting slots take {spec.slots * seqs} of the {budget} tokens of a "
        "step.",
        effect="vLLM stops before loading." if ctx.at_least(0, 20) else "No request is ever scheduled.",
        steps=(put("--max-num-batched-tokens", enough),),
    )
