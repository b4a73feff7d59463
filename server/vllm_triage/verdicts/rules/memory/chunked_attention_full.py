"""Local attention layers of Llama 4 keep the whole context.

## What happens
The engine starts with the hybrid KV cache manager off and a warning.

## Why
A latency regression with local attention in chunks; the pool then holds every token for every layer. From 0.14 the
manager stays on unless VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE=0 is set.

## Versions
>=0.10.1

## Evidence
- vllm/envs.py, the variable's default (0.13.0 line 1433: 0; 0.14.0 line 1469 and 0.33.0 line 1932: 1)
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 1153, 0.31.0 line 2241, 0.33.0 line 2247);
  vllm/v1/core/single_type_kv_cache_manager.py (0.18.0 line 670) for EAGLE

## Fix
Set VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE=1 where memory matters more than latency.
"""

from ...context import Context, Needs
from ...rule import Hit, rule, set_env


@rule("silent", flags=("--disable-hybrid-kv-cache-manager",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    model = ctx.model
    if model is None:
        raise Needs("model")
    if ctx.given("disable_hybrid_kv_cache_manager") or not any(run.kind == "chunked_local" for run in model.runs):
        return None
    allowed = "1" if ctx.at_least(0, 14) else "0"
    if ctx.env.get("VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE", allowed) not in ("0", ""):
        return None
    return Hit(
        message=f"{model.id} has chunked local attention, for which the hybrid KV cache manager is off by default.",
        effect="Local layers keep the whole context, so the pool holds far fewer tokens.",
        steps=(set_env("VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE", "1"),),
        changed=(("disable_hybrid_kv_cache_manager", False, True),),
    )
