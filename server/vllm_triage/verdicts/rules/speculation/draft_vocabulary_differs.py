"""Draft and target have vocabularies of different size.

## What happens
The engine refuses to start.

## Why
Draft tokens are checked against the target's logits by id; a draft with another vocabulary would index out of bounds.
From 0.25 `use_heterogeneous_vocab` maps between the two.

## Versions
>=0.15

## Evidence
- vllm/config/speculative.py, SpeculativeConfig.verify_equal_vocab_size_if_draft_model (0.18.0 line 818, 0.31.0 line
  1873, 0.33.0 line 2049)
- create_engine_config of 0.18.0 to 0.33.0 on a draft of another vocabulary

## Fix
Use a draft of the target's own family, or n-gram speculation, which has no draft model.
"""

from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram


@rule("fatal", flags=("--speculative-config",), needs=("model", "draft model"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or not spec.uses_draft_model or spec.model is None:
        return None
    if spec.raw.get("use_heterogeneous_vocab") is True and ctx.at_least(0, 25):
        return None
    target, draft = ctx.need_model(), ctx.need_draft()
    if target.vocab is None or draft.vocab is None or target.vocab == draft.vocab:
        return None
    steps = (put("--speculative-config", ngram(spec.tokens)),)
    return Hit(
        message=f"{target.id} has {target.vocab} tokens in its vocabulary, the draft {draft.id} has {draft.vocab}.",
        effect="vLLM stops before loading: target and draft model must have the same vocabulary size.",
        fix=f"Use a draft of the target's family (same vocabulary), or draft without a model: {fix_text(steps)}.",
        steps=steps,
    )
