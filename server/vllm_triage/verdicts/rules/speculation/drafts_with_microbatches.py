"""Drafting beside dual batch overlap.

## What happens
The worker stops while it warms up.

## Why
The two halves of a batch are not made for the drafter: EAGLE, MTP, draft models and their like stop at the first batch that is
halved.

## Versions
>=0.12

## Evidence
- vllm/v1/spec_decode/eagle.py (0.12.0) and llm_base_proposer.py (0.28.0 line 1828, 0.33.0): the assertion in the warm-up;
  extract_hidden_states.py (0.17.0, 0.33.0)

## Fix
Take --enable-dbo out, or draft by n-gram.
"""

from ...context import Context
from ...rule import Hit, drop, rule

DRAFTERS = frozenset({"eagle", "eagle3", "mtp", "draft_model", "dflash", "dspark", "extract_hidden_states"})


@rule("fatal", flags=("--enable-dbo", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or ctx.arg("enable_dbo") is not True or ctx.dp <= 1 or not spec.certain or spec.method not in DRAFTERS:
        return None
    return Hit(
        message=f"--enable-dbo is given with speculation by {spec.method}.",
        effect="The worker stops while it warms up.",
        steps=(drop("--enable-dbo"),),
    )
