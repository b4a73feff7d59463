"""A low optimization level.

## What happens
The engine starts faster and runs slower.

## Why
-O0 has neither compilation nor CUDA graphs, -O1 only piecewise graphs; the default is -O2.

## Versions
>=0.12

## Evidence
- vllm/config/vllm.py, OptimizationLevel and its defaults (0.18.0 lines 161-242)

## Fix
Leave it at 2 in production.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--optimization-level",))
def check(ctx: Context) -> Hit | None:
    level = str(ctx.arg("optimization_level", ""))
    if level not in ("0", "1") or ctx.arg("enforce_eager") is True or ctx.cpu:
        return None
    return Hit(
        message=f"Optimization level {level} leaves out "
        + ("compilation and CUDA graphs." if level == "0" else "full graphs."),
        effect="Higher ITL, most at small batches.",
        steps=(drop("--optimization-level"),),
    )
