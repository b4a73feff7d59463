"""One GPU named twice.

## What happens
The engine refuses to start.

## Why
Every rank needs a GPU of its own.

## Versions
>=0.24

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._resolve_device_ids (0.33.0 line 2141)

## Fix
Name each GPU once.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--device-ids",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("device_ids")
    if not isinstance(asked, list) or len({str(one) for one in asked}) == len(asked):
        return None
    return Hit(
        message=f"--device-ids names a GPU twice: {', '.join(str(one) for one in asked)}.",
        effect="vLLM stops before loading.",
        steps=(put("--device-ids", ",".join(dict.fromkeys(str(one) for one in asked))),),
    )
