"""An optimization level above 3.

## What happens
The engine refuses to start.

## Why
The levels are 0 to 3, and 3 is today the same as 2.

## Versions
>=0.12

## Evidence
- vllm/config/vllm.py, OptimizationLevel (0.18.0 lines 161-242, 0.33.0)
- create_engine_config of 0.18.0 to 0.33.0 on `-O4`

## Fix
Use 2, the default.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--optimization-level",))
def check(ctx: Context) -> Hit | None:
    level = ctx.arg("optimization_level")
    if level is None or str(level).removeprefix("O") in ("0", "1", "2", "3"):
        return None
    return Hit(
        message=f"Optimization level {level} does not exist; the levels are 0 to 3.",
        effect="vLLM stops before loading.",
        steps=(drop("--optimization-level"),),
    )
