"""Detailed traces without an endpoint.

## What happens
The engine refuses to start.

## Why
There is nowhere to send them.

## Versions
>=0.6.6

## Evidence
- vllm/config/observability.py, ObservabilityConfig (0.18.0, 0.33.0: requires --otlp-traces-endpoint)
- create_engine_config of 0.33.0 on `--collect-detailed-traces all`

## Fix
Add --otlp-traces-endpoint.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--collect-detailed-traces", "--otlp-traces-endpoint"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("collect_detailed_traces")
    if not asked or ctx.arg("otlp_traces_endpoint"):
        return None
    return Hit(
        message="--collect-detailed-traces is given without --otlp-traces-endpoint.",
        effect="vLLM stops before loading.",
        steps=(drop("--collect-detailed-traces"),),
    )
