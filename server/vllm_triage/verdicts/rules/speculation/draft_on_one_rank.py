"""An independent draft model on fewer ranks than its target.

## What happens
The configuration is accepted and the worker then refuses to start.

## Why
The proposer for `draft_model` shares the target's tensor parallel group, so both must have the same size; the
configuration check allows 1 for every method.

## Versions
>=0.15

## Evidence
- vllm/v1/spec_decode/draft_model.py, DraftModelProposer._raise_if_draft_tp_mismatch (0.18.0 line 47, 0.31.0 and
  0.33.0 line 74)

## Fix
Take draft_tensor_parallel_size out: the draft then runs at the target's size.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config", "--tensor-parallel-size"), needs=("draft model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or not spec.uses_draft_model or spec.model is None:
        return None
    if spec.raw.get("draft_tensor_parallel_size") != 1 or ctx.tp == 1:
        return None
    ctx.need_method()
    return Hit(
        message=f"The draft model {spec.model} is set to one rank while the target runs on {ctx.tp}.",
        effect="The worker stops while it builds the draft proposer, after the configuration was accepted.",
        steps=(put("--speculative-config", spec.but(draft_tensor_parallel_size=None)),),
    )
