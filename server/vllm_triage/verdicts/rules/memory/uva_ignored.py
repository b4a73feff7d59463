"""--cpu-offload-gb under the prefetch backend.

## What happens
The engine starts and warns; nothing is offloaded by size.

## Why
One offload backend runs at a time; with both configured and the backend left to auto, prefetch wins.

## Versions
>=0.17

## Evidence
- vllm/config/offload.py, OffloadConfig.validate_offload_config (0.18.0, 0.31.0 and 0.33.0 lines 125 and 131)

## Fix
Use --offload-backend uva, or take --cpu-offload-gb out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("silent", flags=("--offload-backend", "--cpu-offload-gb"))
def check(ctx: Context) -> Hit | None:
    size = ctx.arg("cpu_offload_gb", 0)
    backend = ctx.arg("offload_backend", "auto")
    if not isinstance(size, (int, float)) or size <= 0:
        return None
    if backend != "prefetch" and not (backend == "auto" and ctx.whole("offload_group_size") > 0):
        return None
    return Hit(
        message=f"--cpu-offload-gb {size:g} is given while weights are offloaded by prefetch.",
        effect="--cpu-offload-gb is ignored.",
        steps=(drop("--cpu-offload-gb"),),
        changed=(("cpu_offload_gb", size, 0),),
    )
