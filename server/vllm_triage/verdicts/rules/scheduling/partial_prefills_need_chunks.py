"""Concurrent partial prefills that the V0 scheduler refuses.

## What happens
The engine refuses to start.

## Why
Prompts are prefilled beside each other in chunks, so chunked prefill must be on; of those in flight no more can be long
than there are at all, and a prompt longer than the context cannot come.

## Versions
>=0.7.3,<0.11

## Evidence
- vllm/config.py, SchedulerConfig._verify_args (0.7.3 line 1604 to 0.10.0), vllm/config/scheduler.py (0.10.1 to 0.11.0)

## Fix
Turn chunked prefill on, and keep --max-long-partial-prefills at or below --max-num-partial-prefills.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule

_MANY, _LONG = "--max-num-partial-prefills", "--max-long-partial-prefills"
_THRESHOLD = "--long-prefill-token-threshold"


@rule("fatal", flags=(_MANY, _LONG, _THRESHOLD))
def check(ctx: Context) -> Iterator[Hit]:
    many, long = ctx.whole("max_num_partial_prefills", 1), ctx.whole("max_long_partial_prefills", 1)
    stops = "vLLM stops before loading."
    if long > many >= 1:
        yield Hit(message=f"{_LONG} {long} is more than {_MANY} {many}.", effect=stops, flags=(_LONG, _MANY), steps=(drop(_LONG),))
    if many <= 1:
        return
    asked = ctx.arg("enable_chunked_prefill")
    alone = not ctx.at_least(0, 8) and asked is None and ctx.setting("enable_chunked_prefill") is False
    if asked in (False, "False", "false") or alone:
        yield Hit(
            message=f"{_MANY} {many} is given without chunked prefill.",
            effect=stops,
            flags=(_MANY,),
            steps=(drop(_MANY), drop(_LONG)) if ctx.given("max_long_partial_prefills") else (drop(_MANY),),
        )
    threshold, context = ctx.whole("long_prefill_token_threshold"), ctx.whole("max_model_len")
    if context and threshold > context:
        yield Hit(
            message=f"{_THRESHOLD} {threshold} is more than --max-model-len {context}.",
            effect=stops,
            flags=(_THRESHOLD,),
            steps=(drop(_THRESHOLD),),
        )
