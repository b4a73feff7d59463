"""LoRA with speculation needs a larger token budget.

## What happens
The engine refuses to start.

## Why
Each of `max_num_seqs` sequences may bring its token and k draft tokens to the LoRA kernels in one step, and their
buffers are sized by `max_num_batched_tokens`.

## Versions
>=0.11

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.18.0 line 1828, 0.31.0 line 2613, 0.33.0 line 2721)

## Fix
Raise --max-num-batched-tokens to max_num_seqs x (num_speculative_tokens + 1), or lower --max-num-seqs.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--enable-lora", "--speculative-config", "--max-num-batched-tokens"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.tokens is None or ctx.arg("enable_lora") is not True:
        return None
    budget, seqs = ctx.need_number("max_num_batched_tokens"), ctx.need_number("max_num_seqs")
    floor = seqs * (spec.tokens + 1)
    if budget >= floor:
        return None
    return Hit(
        message=f"With LoRA, {seqs} sequences of 1 + {spec.tokens} tokens need {floor} tokens per step; "
        f"max_num_batched_tokens is {budget}.",
        effect="vLLM stops before loading.",
        steps=(
            put("--max-num-batched-tokens", floor),
            *(() if ctx.given("max_num_seqs") else (put("--max-num-seqs", seqs),)),  # a larger budget seats more by default
        ),
    )
