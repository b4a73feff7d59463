"""Full CUDA graphs on a pooling model.

## What happens
The engine starts with piecewise graphs and a warning.

## Why
Pooling reads hidden states outside the graph.

## Versions
>=0.11.1

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 916, 0.31.0 line 1920, 0.33.0 line 1957)

## Fix
Ask for PIECEWISE.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--compilation-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("compilation_config")
    mode = config.get("cudagraph_mode")
    if not isinstance(mode, str) or "FULL" not in mode.upper():
        return None
    model = ctx.need_model()
    if not model.is_pooling and ctx.arg("runner") != "pooling":
        return None
    return Hit(
        message=f"cudagraph_mode {mode} is asked for on a pooling model.",
        effect="Graphs are captured piecewise.",
        steps=(put("--compilation-config", {**config, "cudagraph_mode": "PIECEWISE"}),),
        changed=(("cudagraph_mode", mode, "PIECEWISE"),),
    )
