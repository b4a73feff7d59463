"""long_prefill_token_threshold above max_model_len.

## What happens
The engine refuses to start.

## Why
The threshold caps how much of a long prompt one step may take; above the longest prompt it can never apply.

## Versions
>=0.27

## Evidence
- vllm/config/scheduler.py, SchedulerConfig.verify_max_model_len (0.31.0 line 354, 0.33.0 line 356; through 0.26 only
  with concurrent partial prefills, which were refused anyway)
- create_engine_config of 0.31.0 to 0.33.0 on 200000

## Fix
Lower it below max_model_len, or take it out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--long-prefill-token-threshold", "--max-model-len"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    threshold = ctx.whole("long_prefill_token_threshold")
    if threshold <= 0:
        return None
    longest = ctx.need_number("max_model_len")
    if threshold <= longest:
        return None
    return Hit(
        message=f"long_prefill_token_threshold {threshold} is larger than max_model_len {longest}.",
        effect="vLLM stops before loading.",
        steps=(drop("--long-prefill-token-threshold"),),
    )
