"""More layers offloaded than a prefetch group holds.

## What happens
The server refuses to start.

## Why
Of each group of layers some are offloaded; it cannot be more than the group.

## Versions
>=0.17

## Evidence
- vllm/config/offload.py, OffloadConfig.validate_offload_config (0.18.0 and 0.33.0)

## Fix
Lower --offload-num-in-group.
"""

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--offload-num-in-group", "--offload-group-size"))
def check(ctx: Context) -> Hit | None:
    group, part = ctx.whole("offload_group_size"), ctx.whole("offload_num_in_group", 1)
    if (ctx.arg("offload_backend") != "prefetch" and group <= 0) or part <= group:
        return None
    return Hit(
        message=f"--offload-num-in-group {part} is larger than --offload-group-size {group}.",
        effect="vLLM stops before loading.",
        steps=(put("--offload-num-in-group", group) if group > 0 else drop("--offload-backend"),),
    )
