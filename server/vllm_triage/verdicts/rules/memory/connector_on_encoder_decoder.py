"""A KV connector on an encoder-decoder model.

## What happens
The scheduler refuses to start.

## Why
Cross-attention cache is not part of what connectors move.

## Versions
>=0.9

## Evidence
- vllm/v1/core/sched/scheduler.py, Scheduler.__init__ (0.18.0 line 124, 0.31.0 line 162, 0.33.0 line 176)

## Fix
Take --kv-transfer-config out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-transfer-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if not ctx.mapping("kv_transfer_config").get("kv_connector"):
        return None
    model = ctx.need_model()
    if not model.is_encoder_decoder:
        return None
    return Hit(
        message=f"{model.id} is an encoder-decoder model, and a KV connector is configured.",
        effect="The engine core stops while it builds the scheduler.",
        steps=(drop("--kv-transfer-config"),),
    )
