"""A KV connector that cannot work with the hybrid KV cache manager.

## What happens
The manager is switched off with a warning, and layers with a window keep everything.

## Why
A connector says whether it can move the groups the manager makes; most external ones cannot.

## Versions
>=0.22

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.31.0 line 2260, 0.33.0 line 2266); the connectors with SupportsHMA
  in vllm/distributed/kv_transfer/kv_connector/v1
- https://github.com/vllm-project/vllm/issues/42911
- https://github.com/vllm-project/vllm/issues/49537

## Fix
Use a connector that supports it: OffloadingConnector, NixlConnector, MooncakeStoreConnector.
"""

from ...context import Context
from ...rule import Hit, put, rule

__all__ = ["HYBRID", "check"]

HYBRID = frozenset(
    {
        "NixlConnector",
        "NixlPullConnector",
        "NixlPushConnector",
        "MooncakeConnector",
        "MooncakeStoreConnector",
        "OffloadingConnector",
        "SimpleCPUOffloadConnector",
        "MultiConnector",
        "DecodeBenchConnector",
        "MoRIIOConnector",
        "ExampleHiddenStatesConnector",
        "HiSparseConnector",
        "UMBPStoreConnector",
    }
)


@rule("silent", flags=("--kv-transfer-config", "--disable-hybrid-kv-cache-manager"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    connector = ctx.mapping("kv_transfer_config").get("kv_connector")
    if not isinstance(connector, str) or connector in HYBRID or ctx.given("disable_hybrid_kv_cache_manager"):
        return None
    model = ctx.need_model()
    windowed = len(model.runs) > 1 and any(run.kind in ("sliding_window", "chunked_local") for run in model.runs)
    if not windowed or model.is_hybrid:  # connector-with-states tells the last
        return None
    return Hit(
        message=f"{connector} does not support the hybrid KV cache manager that {model.id} needs.",
        effect="Layers with a window keep the whole context.",
        steps=(put("--kv-transfer-config", {"kv_connector": "OffloadingConnector", "kv_role": "kv_both"}),),
        changed=(("disable_hybrid_kv_cache_manager", False, True),),
    )
