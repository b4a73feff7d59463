"""Batch-sharded sampling where nothing can be sharded.

## What happens
The engine refuses to start.

## Why
Requests are dealt to tensor-parallel ranks whole, so there must be more than one rank and at least one seat for each.

## Versions
>=0.29

## Evidence
- vllm/config/vllm.py, VllmConfig._validate_batch_sharded_sampling (0.31.0, 0.33.0)

## Fix
Take --enable-batch-sharded-sampling out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-batch-sharded-sampling", "--tensor-parallel-size", "--max-num-seqs"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_batch_sharded_sampling") is not True:
        return None
    seats = ctx.number("max_num_seqs")
    blockers = []
    if ctx.tp <= 1:
        blockers.append("tensor parallel size is 1")
    elif seats is not None and seats < ctx.tp:
        blockers.append(f"max_num_seqs {seats} is below tensor parallel size {ctx.tp}")
    if ctx.whole("max_logprobs") < 0:
        blockers.append("max_logprobs is -1")
    if not blockers:
        return None
    return Hit(
        message=f"--enable-batch-sharded-sampling is given, and {' and '.join(blockers)}.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-batch-sharded-sampling"),),
    )
