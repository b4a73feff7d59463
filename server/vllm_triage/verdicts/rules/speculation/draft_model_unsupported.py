"""An independent draft model in a release that has no proposer for it.

## What happens
The engine refuses to start.

## Why
The V1 engine had no draft-model proposer until 0.15. N-gram, EAGLE, Medusa and MTP worked.

## Versions
>=0.10,<0.15

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._is_v1_supported_oracle and create_speculative_config (0.10.0 line 1397, 0.14.1
  line 1792); vllm/v1/spec_decode/draft_model.py first in 0.15.0

## Fix
Upgrade to 0.15 or later, or use EAGLE, MTP or n-gram.
"""

from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram


@rule("fatal", flags=("--speculative-config",), needs=("draft model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method != "draft_model" or spec.model is None:
        return None
    ctx.need_method()
    steps = (put("--speculative-config", ngram(spec.tokens)),)
    return Hit(
        message=f"{spec.model} is used as an independent draft model, which vLLM {ctx.version} cannot run.",
        effect="vLLM stops before loading: speculative decoding with a draft model is not supported.",
        fix=f"Upgrade to 0.15 or later, or draft without a model: {fix_text(steps)}.",
        steps=steps,
    )
