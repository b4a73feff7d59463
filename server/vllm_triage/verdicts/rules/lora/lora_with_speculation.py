"""LoRA with speculation.

## What happens
The engine starts; the draft does not know the adapters.

## Why
The feature matrix marks the pair as unsupported. The draft predicts the base model, so acceptance falls with an
adapter's distance from it.

## Versions
>=0.11

## Evidence
- docs/features/README.md (0.18.0: LoRA x speculative decoding not supported); vllm/engine/arg_utils.py checks the
  token budget only (0.18.0 line 1828)

## Fix
Measure the acceptance length with the adapters in use, or serve them without speculation.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ...speculation import ngram


@rule("degraded", flags=("--enable-lora", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_lora") is not True or ctx.spec is None or ctx.spec.method in ("ngram", "ngram_gpu", "suffix"):
        return None
    return Hit(
        message=f"Adapters are served with {ctx.spec.method} speculation.",
        effect="Drafts are those of the base model; acceptance may be low.",
        steps=(put("--speculative-config", ngram(ctx.spec.tokens)),),
        fix="Watch the acceptance length per adapter; n-gram speculation does not depend on the weights.",
    )
