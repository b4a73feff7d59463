"""Per-request speculation metrics without speculation.

## What happens
The engine refuses to start.

## Why
There is nothing to count.

## Versions
>=0.29

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.31.0 line 1666, 0.33.0 line 1738)

## Fix
Take --per-request-spec-decode-metrics out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--per-request-spec-decode-metrics", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("per_request_spec_decode_metrics")
    if asked in (None, "none", False) or ctx.spec is not None:
        return None
    return Hit(
        message=f"--per-request-spec-decode-metrics {asked} is given without speculative decoding.",
        effect="vLLM stops before loading.",
        steps=(drop("--per-request-spec-decode-metrics"),),
    )
