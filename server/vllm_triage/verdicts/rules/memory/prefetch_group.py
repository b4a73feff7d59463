"""A prefetch group that cannot be: more layers offloaded than it holds, or none fetched ahead.

## What happens
The server refuses to start.

## Why
Of each group of layers some are offloaded; it cannot be more than the group. While one group runs, at least the next is
fetched.

## Versions
>=0.17

## Evidence
- vllm/config/offload.py, OffloadConfig.validate_offload_config (0.18.0 and 0.33.0)

## Fix
Lower --offload-num-in-group; leave --offload-prefetch-step at 1 or more.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--offload-num-in-group", "--offload-group-size", "--offload-prefetch-step"))
def check(ctx: Context) -> Iterator[Hit]:
    group, part = ctx.whole("offload_group_size"), ctx.whole("offload_num_in_group", 1)
    offloading = ctx.arg("offload_backend") == "prefetch" or group > 0
    if offloading and part > group:
        yield Hit(
            message=f"--offload-num-in-group {part} is larger than --offload-group-size {group}.",
            effect="vLLM stops before loading.",
            flags=("--offload-num-in-group", "--offload-group-size"),
            steps=(put("--offload-num-in-group", group) if group > 0 else drop("--offload-backend"),),
        )
    if offloading and ctx.whole("offload_prefetch_step", 1) < 1:
        yield Hit(
            message=f"--offload-prefetch-step is {ctx.arg('offload_prefetch_step')}.",
            effect="vLLM stops before loading.",
            flags=("--offload-prefetch-step",),
            steps=(drop("--offload-prefetch-step"),),
        )
