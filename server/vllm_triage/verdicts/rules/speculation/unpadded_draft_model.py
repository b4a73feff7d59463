"""disable_padded_drafter_batch with a draft model or parallel drafting.

## What happens
The configuration is accepted and the worker then refuses to start.

## Why
The proposers for an independent draft model and for parallel drafting need draft batches of a fixed shape. The V2
model runner, the default from 0.29, does not have the unpadded path at all.

## Versions
>=0.15

## Evidence
- vllm/v1/spec_decode/eagle.py, SpecDecodeBaseProposer.__init__ (0.18.0 line 283);
  vllm/v1/spec_decode/llm_base_proposer.py (0.31.0 line 331, 0.33.0 line 330)

## Fix
Take disable_padded_drafter_batch out.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config",), needs=("draft model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.raw.get("disable_padded_drafter_batch") is not True or spec.model is None:
        return None
    if not spec.uses_draft_model and not spec.parallel:
        return None
    ctx.need_method()
    kind = "parallel drafting" if spec.parallel else "an independent draft model"
    return Hit(
        message=f"disable_padded_drafter_batch is true with {kind}.",
        effect="The worker stops while it builds the draft proposer.",
        steps=(put("--speculative-config", spec.but(disable_padded_drafter_batch=None)),),
    )
