"""A KV connector without a role, or with one that does not exist.

## What happens
The engine refuses to start.

## Why
An instance produces cache, consumes it, or does both; the connector has to know which.

## Versions
all

## Evidence
- vllm/config.py, KVTransferConfig.model_post_init (0.6.6.post1 lines 2574 and 2580 to 0.8.5 line 3297);
  vllm/config/kv_transfer.py, KVTransferConfig.__post_init__ (0.11.1 line 96 to 0.33.0 lines 115 and 121)

## Fix
Set "kv_role" to kv_producer, kv_consumer or kv_both.
"""

from ...context import Context
from ...rule import Hit, put, rule

_ROLES = ("kv_producer", "kv_consumer", "kv_both")


@rule("fatal", flags=("--kv-transfer-config",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("kv_transfer_config")
    role = config.get("kv_role")
    if role in _ROLES or (role is None and config.get("kv_connector") is None):
        return None
    return Hit(
        message=f'--kv-transfer-config sets "kv_role" to {role!r}.' if role else '--kv-transfer-config names no "kv_role".',
        effect="vLLM stops before loading.",
        steps=(put("--kv-transfer-config", {**config, "kv_role": "kv_both"}),),
        fix='Set "kv_role" to kv_producer, kv_consumer or kv_both.',
    )
