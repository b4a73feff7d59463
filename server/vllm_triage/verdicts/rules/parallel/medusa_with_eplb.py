"""Medusa with expert load balancing.

## What happens
The worker refuses to start.

## Why
The Medusa proposer does not take part in moving experts.

## Versions
>=0.14,<0.33

## Evidence
- vllm/v1/spec_decode/medusa.py (0.18.0, 0.31.0: EPLB for Medusa is not supported)

## Fix
Take --enable-eplb out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--speculative-config", "--enable-eplb"))
def check(ctx: Context) -> Hit | None:
    if ctx.spec is None or ctx.spec.method != "medusa" or ctx.arg("enable_eplb") is not True:
        return None
    return Hit(
        message="--enable-eplb is given with Medusa speculation.",
        effect="The worker stops at load.",
        steps=(drop("--enable-eplb"),),
    )
