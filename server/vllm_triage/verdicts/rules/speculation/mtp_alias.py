"""An old name of the MTP method.

## What happens
A warning in the log; the method is rewritten to `mtp`.

## Why
One method replaced the name per model family.

## Versions
>=0.12

## Evidence
- vllm/config/speculative.py, SpeculativeConfig.__post_init__ (0.18.0 line 355, 0.31.0 line 1136, 0.33.0 line 1247)

## Fix
Write "method":"mtp".
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("advice", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.asked_method is None or not spec.asked_method.endswith("_mtp"):
        return None
    return Hit(
        message=f'The method "{spec.asked_method}" is an old name of "mtp".',
        effect="None today: vLLM rewrites it and warns.",
        steps=(put("--speculative-config", spec.but(method="mtp")),),
    )
