"""Per-request metrics without statistics.

## What happens
The server refuses to start.

## Why
The metrics are made from the engine's statistics.

## Versions
>=0.31

## Evidence
- vllm/entrypoints/launchers/cli_args.py, validate_parsed_serve_args (0.31.0); vllm/entrypoints/common/cli_args.py
  (0.33.0)

## Fix
Take --disable-log-stats out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-per-request-metrics", "--disable-log-stats"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_per_request_metrics") is not True or ctx.arg("disable_log_stats") is not True:
        return None
    return Hit(
        message="--enable-per-request-metrics is given with --disable-log-stats.",
        effect="The server stops before loading.",
        steps=(drop("--disable-log-stats"),),
    )
