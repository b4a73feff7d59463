"""The speculative max_model_len is longer than the target's.

## What happens
The engine refuses to start.

## Why
Speculation may be cut off early, not run past the target's context.

## Versions
>=0.6.6

## Evidence
- vllm/config/speculative.py, SpeculativeConfig._maybe_override_draft_max_model_len (0.18.0 line 662, 0.31.0 line
  1645, 0.33.0 line 1781); vllm/config.py, _maybe_override_draft_max_model_len (0.6.6.post1 line 1804)

## Fix
Take max_model_len out of --speculative-config.
"""

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--speculative-config", "--speculative-max-model-len", "--max-model-len"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    asked = None if spec is None else spec.raw.get("max_model_len")
    if spec is None or spec.model is None or not isinstance(asked, int):
        return None
    target = ctx.need_number("max_model_len")
    draft = None if spec.draft is None else spec.draft.derived_max_model_len
    most = min(target, draft) if draft else target
    if asked <= most or most <= 0:
        return None
    whole = ctx.given("speculative_config")
    return Hit(
        message=f"The speculative max_model_len is {asked}, longer than the {most} tokens of "
        f"{'the target' if most == target else 'the draft'}.",
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(max_model_len=None)) if whole else drop("--speculative-max-model-len"),),
    )
