"""Speculation without num_speculative_tokens.

## What happens
The engine refuses to start while it builds the speculative configuration.

## Why
The number of draft tokens has no default. Only a draft whose own config carries `n_predict` (an MTP module) brings
one, and suffix decoding falls back to its tree depth. MTP names its draft by itself only when the number is given.

## Versions
all

## Evidence
- vllm/config.py, SpeculativeConfig (0.6.6.post1 to 0.8.5)
- vllm/config/speculative.py, SpeculativeConfig._verify_args and __post_init__ (0.18.0 lines 566 and 763, 0.31.0 lines
  1498 and 1814, 0.33.0 lines 1615 and 1947)
- create_engine_config of 0.18.0 on `{"method":"ngram"}` and on a draft model without the key

## Fix
Give num_speculative_tokens; 3 is a usual start.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ...speculation import ngram


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.raw.get("num_speculative_tokens") is not None or spec.method == "suffix":
        return None
    if spec.method == "mtp" and spec.model:
        return None
    if spec.raw.get("speculative_token_tree") is not None and not ctx.at_least(0, 22):
        return None
    by_flags = not ctx.given("speculative_config") and ctx.given("speculative_model")
    if by_flags and spec.method != "ngram" and spec.draft is None:
        return None  # a head may bring its own number
    whole = bool(spec.raw) and (spec.model is not None or spec.method in ("ngram", "ngram_gpu", "mtp"))
    kept = spec.but(num_speculative_tokens=3) if whole else ngram(3)
    return Hit(
        message=f"The speculative configuration names {spec.model or spec.asked_method or 'nothing'}, and no "
        "num_speculative_tokens.",
        effect="vLLM stops before loading: num_speculative_tokens must be provided.",
        steps=(put("--num-speculative-tokens", 3),) if by_flags else (put("--speculative-config", kept),),
    )
