"""Prefetch offloading settings under another backend.

## What happens
The engine starts and warns; the prefetch settings are ignored.

## Why
One offload backend runs at a time.

## Versions
>=0.17

## Evidence
- vllm/config/offload.py, OffloadConfig.validate_offload_config (0.18.0, 0.31.0 and 0.33.0 line 119)

## Fix
Use --offload-backend prefetch, or take the prefetch settings out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("silent", flags=("--offload-backend", "--offload-group-size"))
def check(ctx: Context) -> Hit | None:
    size = ctx.whole("offload_group_size")
    if ctx.arg("offload_backend") != "uva" or size <= 0:
        return None
    return Hit(
        message=f"--offload-group-size {size} is given with --offload-backend uva.",
        effect="Nothing is prefetched.",
        steps=(drop("--offload-group-size"),),
        changed=(("offload_group_size", size, 0),),
    )
