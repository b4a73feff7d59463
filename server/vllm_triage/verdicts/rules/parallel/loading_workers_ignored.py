"""--max-parallel-loading-workers does nothing.

## What happens
A warning; the flag is ignored.

## Why
The V1 engine does not implement it.

## Versions
>=0.11.1

## Evidence
- vllm/config/parallel.py, ParallelConfig.__post_init__ (0.18.0, 0.31.0, 0.33.0)

## Fix
Take it out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("advice", flags=("--max-parallel-loading-workers",))
def check(ctx: Context) -> Hit | None:
    if ctx.whole("max_parallel_loading_workers") <= 0:
        return None
    return Hit(
        message=f"--max-parallel-loading-workers {ctx.arg('max_parallel_loading_workers')} is not supported.",
        effect="None: it is ignored.",
        steps=(drop("--max-parallel-loading-workers"),),
    )
