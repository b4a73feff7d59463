"""A draft with a shorter context cuts the target's.

## What happens
The engine starts with a smaller `max_model_len` than asked, and one warning.

## Why
The V2 model runner drafts for every position, so the target is held to the draft's context.

## Versions
>=0.33

## Evidence
- vllm/config/vllm.py (0.33.0 line 3043)

## Fix
Use a draft with at least the target's context.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ...speculation import ngram


@rule("silent", flags=("--speculative-config", "--max-model-len"), needs=("model", "draft model"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or not spec.uses_draft_model or spec.model is None or ctx.setting("model_runner") == "v1":
        return None
    draft = ctx.need_draft().derived_max_model_len
    target = ctx.whole("max_model_len") or ctx.need_model().derived_max_model_len
    if draft is None or target is None or draft >= target or target <= 0:
        return None
    return Hit(
        message=f"The draft {spec.model} holds {draft} tokens, the target is asked for {target}.",
        effect=f"max_model_len becomes {draft}; longer requests are refused.",
        steps=(put("--speculative-config", ngram(spec.tokens)),),
        fix=f"Use a draft that holds {target} tokens, or draft without a model.",
        changed=(("max_model_len", target, draft),),
    )
