"""Tensor parallel size does not divide by the decode context parallel size.

## What happens
The engine refuses to start.

## Why
Decode context parallelism reuses the GPUs of the tensor parallel group, split into equal parts.

## Versions
>=0.11

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.18.0 line 417, 0.31.0 line 570, 0.33.0 line
  600)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Lower --decode-context-parallel-size to a divisor of the tensor parallel size.
"""

from math import gcd

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--decode-context-parallel-size", "--tensor-parallel-size"))
def check(ctx: Context) -> Hit | None:
    if ctx.dcp <= 1 or ctx.tp % ctx.dcp == 0:
        return None
    fits = gcd(ctx.tp, ctx.dcp)
    if ctx.model is not None and not ctx.model.uses_mla:
        fits = gcd(fits, max(1, ctx.tp // max(1, ctx.model.kv_heads)))  # only copies of a KV head can be split
    return Hit(
        message=f"Tensor parallel size {ctx.tp} does not divide by decode context parallel size {ctx.dcp}.",
        effect="vLLM stops before loading.",
        steps=(put("--decode-context-parallel-size", fits) if fits > 1 else drop("--decode-context-parallel-size"),),
    )
