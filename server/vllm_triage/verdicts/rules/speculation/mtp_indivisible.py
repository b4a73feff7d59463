"""Draft tokens are not a multiple of the MTP module's own.

## What happens
The engine refuses to start.

## Why
An MTP module predicts a fixed number of tokens per pass and is run again for more, so the number asked must be a
multiple of it once it is larger.

## Versions
>=0.7.3

## Evidence
- vllm/config.py, SpeculativeConfig (0.7.3 to 0.8.5)
- vllm/config/speculative.py, SpeculativeConfig.__post_init__ (0.18.0 line 559, 0.31.0 line 1492, 0.33.0 line 1609)

## Fix
Ask for a multiple of the module's number.
"""

from ....domain import FixStep
from ...context import Context
from ...rule import Hit, put, rule
from ...speculation import Speculation


def _rewritten(spec: Speculation, tokens: int) -> tuple[FixStep, ...]:
    return (put("--speculative-config", spec.but(num_speculative_tokens=tokens)),)


@rule("fatal", flags=("--speculative-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    by_number = spec is not None and not ctx.at_least(0, 9) and spec.asked_method is None  # the number alone asks for MTP
    if spec is None or not (spec.method == "mtp" or by_number) or spec.model is not None or spec.tokens is None:
        return None
    each = ctx.need_model().mtp_layers
    if each <= 1 or spec.tokens <= each or spec.tokens % each == 0:
        return None
    fewer = spec.tokens // each * each
    return Hit(
        message=f"The MTP module predicts {each} tokens; num_speculative_tokens is {spec.tokens}, not a multiple.",
        effect="vLLM stops before loading.",
        steps=(put("--num-speculative-tokens", fewer),) if ctx.given("num_speculative_tokens") else _rewritten(spec, fewer),
    )
