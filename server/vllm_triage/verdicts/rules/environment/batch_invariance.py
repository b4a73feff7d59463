"""Batch-invariant results cost speed.

## What happens
The engine starts with slower kernels and without cascade attention.

## Why
Results that do not depend on the batch need fixed reduction orders.

## Versions
>=0.11.1

## Evidence
- vllm/model_executor/layers/batch_invariant.py, vllm_is_batch_invariant, and the attention backends that ask it (0.11.1
  line 789 to 0.18.0); vllm/envs.py VLLM_BATCH_INVARIANT (0.19.0 to 0.33.0); vllm/config/vllm.py (0.31.0)

## Fix
Unset it unless bitwise reproducibility is needed.
"""

from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("degraded", flags=())
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_BATCH_INVARIANT") != "1":
        return None
    return Hit(
        message="VLLM_BATCH_INVARIANT=1 is set.",
        effect="Slower matrix and attention kernels, in every step.",
        steps=(drop_env("VLLM_BATCH_INVARIANT"),),
    )
