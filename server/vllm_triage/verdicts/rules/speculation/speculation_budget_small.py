"""A token budget under 8192 with speculation.

## What happens
A warning in the log that performance may be suboptimal.

## Why
Verification multiplies the tokens of a decode step by the draft length, so prompts get less of a small budget.

## Versions
>=0.20

## Evidence
- vllm/config/vllm.py, VllmConfig._set_max_num_scheduled_tokens (0.31.0 line 2372, 0.33.0 line 2360)

## Fix
Raise --max-num-batched-tokens to 8192 where memory and ITL allow.
"""

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("degraded", flags=("--max-num-batched-tokens", "--speculative-config"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.tokens is None:
        return None
    budget = ctx.need_number("max_num_batched_tokens")
    scheduled = ctx.number("max_num_scheduled_tokens") or budget
    if not 0 < scheduled < 8192:
        return None
    return Hit(
        message=f"{scheduled} tokens can be scheduled per step; each decoding sequence takes {1 + spec.tokens} of "
        "them.",
        effect="With many sequences decoding, prompts are prefilled in small chunks and TTFT grows.",
        steps=(
            put("--max-num-batched-tokens", 16384 if scheduled < budget else 8192),
            *((drop("--max-num-scheduled-tokens"),) if ctx.given("max_num_scheduled_tokens") else ()),
        ),
    )
