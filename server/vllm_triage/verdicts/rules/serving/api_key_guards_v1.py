"""--api-key guards /v1 only.

## What happens
/metrics, /health, /tokenize and the other routes answer without a key.

## Why
The middleware checks paths that begin with /v1.

## Versions
>=0.6.6

## Evidence
- vllm/entrypoints/openai/server_utils.py and vllm/entrypoints/serve/middleware/authenticate.py (0.18.0, 0.31.0:
  guarded prefix /v1)

## Fix
Put the server behind a proxy if the other routes must not be public.
"""

from ...context import Context
from ...rule import Hit, rule


@rule("advice", flags=("--api-key",))
def check(ctx: Context) -> Hit | None:
    if not ctx.arg("api_key"):
        return None
    return Hit(
        message="--api-key is given: it protects routes under /v1 and no others.",
        effect="Metrics and utility routes stay open to whoever reaches the port.",
        fix="Put a proxy in front and bind the server to `--host 127.0.0.1`.",
    )
