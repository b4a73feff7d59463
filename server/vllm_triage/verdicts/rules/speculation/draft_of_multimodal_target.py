"""A draft model that sees only the text of a multimodal target.

## What happens
Drafts ignore images and audio; acceptance falls wherever the answer depends on them.

## Why
The draft-model proposer passes text tokens only. Through 0.20 it refused a multimodal target outright.

## Versions
>=0.21

## Evidence
- vllm/v1/spec_decode/llm_base_proposer.py, SpecDecodeBaseProposer.__init__ (0.31.0 line 339, 0.33.0 line 338)

## Fix
Draft with the model's own MTP or an EAGLE-3 head made for it, or with n-gram.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ...speculation import ngram


@rule("degraded", flags=("--speculative-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or not (spec.uses_draft_model or spec.parallel) or spec.model is None:
        return None
    model = ctx.need_model()
    if not model.is_multimodal:
        return None
    return Hit(
        message=f"{model.id} is multimodal; the draft {spec.model} sees only its text.",
        effect="Draft tokens after an image or audio are mostly rejected, so speculation costs more than it gains "
        "there.",
        steps=(put("--speculative-config", ngram(spec.tokens)),),
    )
