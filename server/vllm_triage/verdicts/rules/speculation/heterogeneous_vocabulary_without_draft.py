"""use_heterogeneous_vocab without a draft model.

## What happens
The engine refuses to start.

## Why
Only an independent draft model has a vocabulary of its own to map.

## Versions
>=0.25

## Evidence
- vllm/config/speculative.py, SpeculativeConfig (0.31.0 line 1849, 0.33.0 line 1996)

## Fix
Take use_heterogeneous_vocab out.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.raw.get("use_heterogeneous_vocab") is not True or spec.uses_draft_model:
        return None
    return Hit(
        message=f"use_heterogeneous_vocab is true with {spec.method}, which has no vocabulary of its own.",
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(use_heterogeneous_vocab=None)),),
    )
