"""--enable-log-outputs without --enable-log-requests.

## What happens
The server refuses to start.

## Why
Outputs are logged as part of a request's record.

## Versions
>=0.11

## Evidence
- vllm/entrypoints/openai/cli_args.py, validate_parsed_serve_args (0.18.0 line 369);
  vllm/entrypoints/launchers/cli_args.py (0.31.0 line 471); vllm/entrypoints/common/cli_args.py (0.33.0 line 556)

## Fix
Add --enable-log-requests.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--enable-log-outputs", "--enable-log-requests"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_log_outputs") is not True or ctx.arg("enable_log_requests") is True:
        return None
    return Hit(
        message="--enable-log-outputs is given without --enable-log-requests.",
        effect="The server stops before loading.",
        steps=(put("--enable-log-requests", True),),
    )
