"""The token budget is larger than all sequences together can fill.

## What happens
One warning in the log; the budget above max_num_seqs x max_model_len is never used, yet memory is profiled and
reserved for it.

## Why
No step can hold more tokens than every seat full of its longest sequence. Activation memory is measured with a full
budget, so the surplus shrinks the KV pool.

## Versions
all

## Evidence
- vllm/config/scheduler.py, SchedulerConfig.verify_max_model_len (0.18.0 line 273, 0.31.0 line 346, 0.33.0 line 348)

## Fix
Lower --max-num-batched-tokens to max_num_seqs x max_model_len.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("degraded", flags=("--max-num-batched-tokens", "--max-num-seqs", "--max-model-len"), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    if not ctx.given("max_num_batched_tokens"):
        return None
    budget, seats = ctx.need_number("max_num_batched_tokens"), ctx.need_number("max_num_seqs")
    most = seats * ctx.need_number("max_model_len")
    if not 0 < most < budget:
        return None
    return Hit(
        message=f"max_num_batched_tokens {budget} exceeds the {most} tokens that {seats} sequences can hold.",
        effect="Memory for activations is set aside for tokens that never come, at the cost of the KV pool.",
        steps=(put("--max-num-batched-tokens", most),),
    )
