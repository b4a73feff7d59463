"""The hybrid KV cache manager is demanded where it cannot run.

## What happens
The engine refuses to start.

## Why
Local attention in chunks (Llama 4) switches the manager off: with EAGLE always, and where
VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE is 0, the default until 0.13. Asked for by name this is an error.

## Versions
>=0.13

## Evidence
- vllm/envs.py, the variable's default (0.13.0 line 1433: 0; 0.14.0 line 1469: 1)
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 1185, 0.31.0 line 2279, 0.33.0 line 2285)

## Fix
Leave --no-disable-hybrid-kv-cache-manager out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--disable-hybrid-kv-cache-manager",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("disable_hybrid_kv_cache_manager") is not False:
        return None
    model = ctx.need_model()
    if not any(run.kind == "chunked_local" for run in model.runs):
        return None
    drafting = ctx.spec is not None and ctx.spec.method in ("eagle", "eagle3", "mtp")
    allowed = ctx.env.get("VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE", "1" if ctx.at_least(0, 14) else "0")
    if not drafting and allowed not in ("0", ""):
        return None
    return Hit(
        message=f"{model.id} has chunked local attention, and --no-disable-hybrid-kv-cache-manager is given.",
        effect="vLLM stops before loading.",
        steps=(drop("--disable-hybrid-kv-cache-manager"),),
        fix="Remove `--no-disable-hybrid-kv-cache-manager`.",
    )
