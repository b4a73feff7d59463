"""KV cache events without prefix caching.

## What happens
The engine starts with a warning; no events are sent.

## Why
Events tell which cached blocks come and go, and without prefix caching no block is kept.

## Versions
>=0.9

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 1012, 0.31.0 line 2015, 0.33.0 line 2052)

## Fix
Turn prefix caching on.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("degraded", flags=("--kv-events-config", "--enable-prefix-caching"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.mapping("kv_events_config").get("enable_kv_cache_events") is not True:
        return None
    cached = ctx.setting("enable_prefix_caching")
    if cached is None:
        ctx.need_model()
    if cached is not False:
        return None
    return Hit(
        message="KV cache events are enabled, prefix caching is off.",
        effect="A router that relies on the events sees an empty cache.",
        steps=(put("--enable-prefix-caching", True),),
    )
