"""Suffix decoding needs a package that vLLM does not bring.

## What happens
Without Arctic Inference in the same environment the engine refuses to start.

## Why
The suffix tree lives in that package.

## Versions
>=0.11

## Evidence
- vllm/config/speculative.py, SpeculativeConfig._validate_suffix_decoding (0.18.0 line 608, 0.31.0 line 1592, 0.33.0
  line 1728)

## Fix
Install arctic-inference, or use n-gram, which needs nothing.
"""

from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram


@rule("advice", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method != "suffix":
        return None
    steps = (put("--speculative-config", ngram(spec.tokens)),)
    return Hit(
        message="Suffix decoding imports Arctic Inference.",
        effect="Where the package is missing vLLM stops before loading.",
        fix=f"`pip install arctic-inference`, or draft without it: {fix_text(steps)}.",
        steps=steps,
    )
