"""Requests with min_p or logit_bias are refused under speculation.

## What happens
Such a request gets HTTP 400.

## Why
These two samplers act on one token per sequence and are not part of verification.

## Versions
>=0.11

## Evidence
- vllm/sampling_params.py, SamplingParams (0.18.0 line 714, 0.31.0 line 1112, 0.33.0 line 1194);
  vllm/v1/sample/logits_processor/__init__.py (0.18.0 line 204)

## Fix
Make sure clients send neither, or run without speculation.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("advice", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    if ctx.spec is None:
        return None
    return Hit(
        message="With speculative decoding a request that sets min_p above 0 or logit_bias is refused.",
        effect="HTTP 400 for those requests; all others are served.",
        steps=(drop("--speculative-config"), drop("--spec-method"), drop("--spec-model"), drop("--spec-tokens")),
        fix="Have clients send neither `min_p` nor `logit_bias`; if they must, remove `--speculative-config`.",
    )
