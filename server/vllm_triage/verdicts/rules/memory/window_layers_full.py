"""The hybrid KV cache manager is off on a model with sliding windows.

## What happens
The engine starts; layers with a window keep every token as full-attention layers do.

## Why
The manager is what frees blocks that fell out of the window. Without it the pool holds far fewer requests.

## Versions
>=0.9.1

## Evidence
- vllm/config.py, SchedulerConfig.disable_hybrid_kv_cache_manager (0.9.1 line 2120; not in 0.9.0)
- vllm/v1/core/kv_cache_utils.py, unify_hybrid_kv_cache_specs (0.18.0 line 1172, 0.31.0 line 1957);
  vllm/v1/core/kv_cache_planning.py (0.33.0 line 870)

## Fix
Leave --disable-hybrid-kv-cache-manager out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--disable-hybrid-kv-cache-manager",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("disable_hybrid_kv_cache_manager") is not True:
        return None
    model = ctx.need_model()
    windowed = sum(run.count for run in model.runs if run.kind in ("sliding_window", "chunked_local"))
    if not windowed or windowed == model.layers:
        return None
    return Hit(
        message=f"{windowed} of {model.layers} layers of {model.id} have a window; the manager that frees their old "
        "blocks is off.",
        effect="Those layers keep the whole context; the pool holds fewer tokens.",
        steps=(drop("--disable-hybrid-kv-cache-manager"),),
    )
