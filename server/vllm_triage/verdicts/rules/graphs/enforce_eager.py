"""--enforce-eager turns compilation and CUDA graphs off.

## What happens
The engine starts faster and runs slower: every kernel of every step is launched from Python.

## Why
At small batches a decode step is shorter than the time to launch it.

## Versions
>=0.6.6

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 788, 0.31.0 line 1700, 0.33.0 line 1772)

## Fix
Leave it out in production; for memory lower --max-cudagraph-capture-size instead.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--enforce-eager",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enforce_eager") is not True or ctx.cpu:
        return None
    return Hit(
        message="--enforce-eager is given: compile mode and CUDA graphs are off.",
        effect="Higher ITL, most at small batches.",
        steps=(drop("--enforce-eager"),),
        changed=(("cudagraph_mode", "FULL_AND_PIECEWISE", "NONE"),) if ctx.at_least(0, 11) else (),
    )
