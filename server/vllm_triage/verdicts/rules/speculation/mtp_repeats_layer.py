"""More draft tokens than the MTP module has layers.

## What happens
The same layer is run several times; each further token is accepted less often.

## Why
The module was trained to predict as many tokens as it has layers. vLLM warns and runs it again for the rest.

## Versions
>=0.11

## Evidence
- vllm/config/speculative.py, SpeculativeConfig.__post_init__ (0.18.0 line 499, 0.31.0 line 1375, 0.33.0 line 1491)

## Fix
Ask for as many tokens as the module has layers, or measure the acceptance per position before keeping more.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("degraded", flags=("--speculative-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method != "mtp" or spec.model is not None or (spec.tokens or 0) <= 1:
        return None
    layers = ctx.need_model().mtp_layers
    if layers == 0 or spec.tokens is None or spec.tokens <= layers or spec.tokens % layers:
        return None
    return Hit(
        message=f"{spec.tokens} tokens are drafted with an MTP module of {layers} layer{'s' if layers > 1 else ''}.",
        effect="Tokens after the first are drafted outside what the module was trained for; acceptance falls by "
        "position.",
        steps=(put("--speculative-config", spec.but(num_speculative_tokens=layers)),),
    )
