"""Without chunked prefill the token budget must hold the longest prompt.

## What happens
The engine refuses to start.

## Why
An unchunked prompt runs in one step, so `max_num_batched_tokens` must reach `max_model_len`. Left to its default the
budget is raised on its own; given explicitly it is taken at its word.

## Versions
all

## Evidence
- vllm/config/scheduler.py, SchedulerConfig.verify_max_model_len (0.18.0 line 256, 0.31.0 line 320, 0.33.0 line 322)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Leave chunked prefill on, or raise --max-num-batched-tokens to max_model_len.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule(
    "fatal", flags=("--enable-chunked-prefill", "--max-num-batched-tokens", "--max-model-len"), needs=("model", "gpu")
)
def check(ctx: Context) -> Hit | None:
    if ctx.chunked or not ctx.given("max_num_batched_tokens"):
        return None
    budget, longest = ctx.need_number("max_num_batched_tokens"), ctx.need_number("max_model_len")
    if budget >= longest:
        return None
    blame = "--enable-chunked-prefill" if ctx.given("enable_chunked_prefill") else "--max-num-batched-tokens"
    return Hit(
        message=f"Chunked prefill is off and max_num_batched_tokens {budget} is smaller than max_model_len {longest}.",
        effect="vLLM stops before loading.",
        steps=(drop(blame),),
    )
