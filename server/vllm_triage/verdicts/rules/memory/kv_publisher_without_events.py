"""A publisher of KV events that are not enabled.

## What happens
The engine starts with a warning; nothing is published.

## Why
The publisher and the events are switched separately.

## Versions
>=0.9

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 1022, 0.31.0 line 2024)

## Fix
Set enable_kv_cache_events to true.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("degraded", flags=("--kv-events-config",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("kv_events_config")
    if config.get("publisher") in (None, "null") or config.get("enable_kv_cache_events") is True:
        return None
    return Hit(
        message=f'publisher is "{config["publisher"]}", enable_kv_cache_events is not true.',
        effect="Nothing is published.",
        steps=(put("--kv-events-config", {**config, "enable_kv_cache_events": True}),),
    )
