"""Hidden metrics asked for by something that is no version.

## What happens
The engine refuses to start.

## Why
The value is compared with the release before this one.

## Versions
>=0.9

## Evidence
- vllm/config/observability.py, ObservabilityConfig._validate_show_hidden_metrics_for_version (0.18.0, 0.33.0)

## Fix
Give a release such as 0.32.0, or take the flag out.
"""

import re

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--show-hidden-metrics-for-version",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("show_hidden_metrics_for_version")
    if not isinstance(asked, str) or re.match(r"\d+(\.\d+)*", asked):
        return None
    return Hit(
        message=f"--show-hidden-metrics-for-version {asked} is no version.",
        effect="vLLM stops before loading.",
        steps=(drop("--show-hidden-metrics-for-version"),),
    )
