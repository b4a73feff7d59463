"""An all-to-all backend that was removed.

## What happens
The engine starts with allgather_reducescatter and a warning.

## Why
`pplx` is gone from 0.17, `naive` from 0.19.

## Versions
>=0.17

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.18.0 line 371, 0.31.0 line 508, 0.33.0 line
  538)

## Fix
Name the backend in force, or deepep_low_latency where DeepEP is installed.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--all2all-backend",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("all2all_backend")
    if asked != "pplx" and not (asked == "naive" and ctx.at_least(0, 19)):
        return None
    return Hit(
        message=f"--all2all-backend {asked} was removed.",
        effect="Experts are exchanged by all-gather and reduce-scatter.",
        steps=(put("--all2all-backend", "allgather_reducescatter"),),
        changed=(("all2all_backend", asked, "allgather_reducescatter"),),
    )
