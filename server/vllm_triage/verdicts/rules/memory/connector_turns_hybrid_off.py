"""A KV connector turns the hybrid KV cache manager off.

## What happens
The engine starts with a warning, and windows are kept whole.

## Why
In these releases any --kv-transfer-config switches the manager off unless it is asked for by name. Later ones ask the
connector.

## Versions
>=0.11,<0.22

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 1168)
- https://github.com/vllm-project/vllm/issues/42911

## Fix
Ask for the manager by name if the connector supports it, or use one that does (OffloadingConnector).
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--kv-transfer-config", "--disable-hybrid-kv-cache-manager"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    connector = ctx.mapping("kv_transfer_config").get("kv_connector")
    if connector is None or ctx.given("disable_hybrid_kv_cache_manager"):
        return None
    model = ctx.need_model()
    windowed = any(run.kind in ("sliding_window", "chunked_local") for run in model.runs) and len(model.runs) > 1
    if not windowed or model.is_hybrid:  # connector-with-states tells the last
        return None
    return Hit(
        message=f"{connector} turns the hybrid KV cache manager off for {model.id}.",
        effect="Layers with a window keep the whole context.",
        steps=(put("--disable-hybrid-kv-cache-manager", False),),
        changed=(("disable_hybrid_kv_cache_manager", False, True),),
    )
