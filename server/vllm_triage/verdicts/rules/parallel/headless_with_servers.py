"""A headless node with API servers.

## What happens
The server refuses to start.

## Why
A headless node runs engines only.

## Versions
>=0.9

## Evidence
- vllm/entrypoints/cli/serve.py, ServeSubcommand.cmd (0.18.0 line 61, 0.31.0 line 69, 0.33.0 line 71)

## Fix
Take --api-server-count out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--headless", "--api-server-count"))
def check(ctx: Context) -> Hit | None:
    count = ctx.whole("api_server_count")
    if ctx.arg("headless") is not True or count <= 0:
        return None
    return Hit(
        message=f"--api-server-count {count} is given with --headless.",
        effect="The server stops before loading.",
        steps=(drop("--api-server-count"),),
    )
