"""A draft model without chunked prefill leaves long prompts unscheduled for ever.

## What happens
The server starts and answers short prompts. A prompt longer than the reduced token budget is never scheduled, and
every request queued behind it waits with it: no error, no log line, requests that hang.

## Why
From 0.17 to 0.27 drafting slots are taken off the scheduler's budget: `max_num_batched_tokens` less one slot (or k
with parallel drafting) for each of `max_num_seqs`. Without chunked prefill a prompt must fit into one step, and the
check at start-up compares `max_model_len` with the unreduced budget.

## Versions
>=0.17,<0.28

## Evidence
- vllm/config/vllm.py, VllmConfig._set_max_num_scheduled_tokens (0.18.0 lines 1256-1285);
  vllm/v1/core/sched/scheduler.py, Scheduler.schedule (0.18.0 lines 662-668: stops at a prompt larger than the budget)
- the Scheduler of 0.18.0, 0.20.2 and 0.27.1 run on a 2000-token prompt with a budget of 1920: nothing is scheduled;
  0.28.0 and 0.31.0 schedule it

## Fix
Leave chunked prefill on, which is the default.
"""

from ....domain import FixStep
from ...context import Context
from ...rule import Hit, drop, put, rule
from ...speculation import Speculation, ngram


@rule("silent", flags=("--enable-chunked-prefill", "--speculative-config"), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.slots == 0 or ctx.chunked:
        return None
    budget, seqs = ctx.need_number("max_num_batched_tokens"), ctx.need_number("max_num_seqs")
    longest = ctx.need_number("max_model_len")
    left = budget - spec.slots * seqs
    if left >= longest:
        return None
    return Hit(
        message=f"Chunked prefill is off with {spec.method} speculation: {seqs} sequences x {spec.slots} drafting "
        f"slots leave {left} of {budget} tokens per step, less than max_model_len {longest}.",
        effect=f"A prompt of more than {max(left, 0)} tokens is never scheduled and blocks everything queued behind "
        "it.",
        steps=_steps(ctx, spec),
        fix="Leave chunked prefill on: remove `--no-enable-chunked-prefill`." + _also(ctx),
        changed=(("max_num_scheduled_tokens", budget, left),),
    )


def _steps(ctx: Context, spec: Speculation) -> tuple[FixStep, ...]:
    on = drop("--enable-chunked-prefill")
    if not ctx.within("==0.18.*"):
        return (on,)
    # a house rule refuses a draft model with chunked prefill on 0.18, so the way out there names another drafter too
    return (on, put("--speculative-config", ngram(spec.tokens, "ngram_gpu")))


def _also(ctx: Context) -> str:
    if not ctx.within("==0.18.*"):
        return ""
    return ' On 0.18 draft with EAGLE-3 or `"method":"ngram_gpu"` instead (house rule no-draft-chunked-0180).'
