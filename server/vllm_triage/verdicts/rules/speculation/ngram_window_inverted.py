"""prompt_lookup_min is larger than prompt_lookup_max.

## What happens
The engine refuses to start.

## Why
The n-gram proposer looks for a match of between min and max tokens. When only one is given the other takes its value;
with neither, both are 5.

## Versions
>=0.6.6

## Evidence
- vllm/config/speculative.py, SpeculativeConfig.__post_init__ (0.18.0 line 413, 0.31.0 line 1212, 0.33.0 line 1323)
- create_engine_config of 0.18.0 to 0.33.0 on min 5 and max 2

## Fix
Lower prompt_lookup_min to at most prompt_lookup_max.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method not in ("ngram", "ngram_gpu"):
        return None
    low, high = spec.raw.get("prompt_lookup_min"), spec.raw.get("prompt_lookup_max")
    if not isinstance(low, int) or not isinstance(high, int) or low <= high:
        return None
    return Hit(
        message=f"prompt_lookup_min is {low} and prompt_lookup_max is {high}.",
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(prompt_lookup_min=high)),),
    )
