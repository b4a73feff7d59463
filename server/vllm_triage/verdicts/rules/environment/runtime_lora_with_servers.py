"""Adapters loaded at run time with several API servers.

## What happens
The server refuses to start.

## Why
Each API server keeps its own list of adapters; a load request reaches one of them.

## Versions
>=0.11.1

## Evidence
- vllm/entrypoints/cli/serve.py, run_multi_api_server (0.18.0 line 265, 0.31.0 line 305, 0.33.0 line 316)

## Fix
Use --api-server-count 1, or unset VLLM_ALLOW_RUNTIME_LORA_UPDATING.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--api-server-count", "--enable-lora"))
def check(ctx: Context) -> Hit | None:
    allowed = ctx.env.get("VLLM_ALLOW_RUNTIME_LORA_UPDATING", "0").strip().lower() in ("1", "true")
    servers = ctx.whole("api_server_count") or (ctx.dp if ctx.at_least(0, 15) else 1)
    if not allowed or servers <= 1:
        return None
    return Hit(
        message=f"VLLM_ALLOW_RUNTIME_LORA_UPDATING is set with {servers} API servers.",
        effect="The server stops before loading.",
        steps=(put("--api-server-count", 1),),
    )
