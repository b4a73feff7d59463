"""A layerwise KV connector turns full CUDA graphs off.

## What happens
The engine starts with piecewise graphs and a warning.

## Why
The connector waits for its transfers between layers, which a full graph cannot contain.

## Versions
>=0.17

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 952, 0.31.0 line 1956, 0.33.0 line 1993);
  vllm/distributed/kv_transfer/kv_connector/v1/lmcache_connector.py, requires_piecewise_for_cudagraph (0.18.0 line 81,
  0.33.0 line 76)

## Fix
Turn layerwise transfer off, or ask for PIECEWISE.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--kv-transfer-config",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("kv_transfer_config")
    extra = config.get("kv_connector_extra_config")
    if not isinstance(extra, dict) or extra.get("use_layerwise") is not True or ctx.arg("enforce_eager") is True:
        return None
    if config.get("kv_connector") != "LMCacheConnectorV1":
        return None
    mode = ctx.mapping("compilation_config").get("cudagraph_mode")
    if isinstance(mode, str) and "FULL" not in mode.upper():
        return None
    compile_config = ctx.mapping("compilation_config")
    return Hit(
        message=f"{config.get('kv_connector')} transfers layer by layer.",
        effect="Decode steps are captured piecewise.",
        steps=(put("--compilation-config", {**compile_config, "cudagraph_mode": "PIECEWISE"}),),
        changed=(("cudagraph_mode", mode or "FULL_AND_PIECEWISE", "PIECEWISE"),),
    )
