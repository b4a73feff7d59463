"""A draft model for a multimodal target.

## What happens
The configuration is accepted and the worker then refuses to start.

## Why
The draft-model proposer of these releases does not take multimodal targets; later ones draft on the text alone.

## Versions
>=0.15,<0.21

## Evidence
- vllm/v1/spec_decode/eagle.py, SpecDecodeBaseProposer._raise_if_multimodal (0.18.0 line 291)

## Fix
Draft with n-gram, or upgrade to 0.21 or later.
"""

from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram


@rule("fatal", flags=("--speculative-config",), needs=("model", "draft model"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or not (spec.uses_draft_model or spec.parallel) or spec.model is None:
        return None
    model = ctx.need_model()
    if not model.is_multimodal:
        return None
    ctx.need_method()
    steps = (put("--speculative-config", ngram(spec.tokens)),)
    return Hit(
        message=f"{model.id} is multimodal and {spec.model} is an independent draft model.",
        effect="The worker stops while it builds the draft proposer.",
        fix=f"{fix_text(steps)}, or upgrade to 0.21 or later (drafts then see the text only).",
        steps=steps,
    )
