"""Capture sizes given twice.

## What happens
The engine refuses to start.

## Why
The flags are shorthands for keys of --compilation-config.

## Versions
>=0.11.1

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.18.0 line 1891, 0.31.0 line 2726, 0.33.0 line 2836)

## Fix
Keep one of the two.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--cudagraph-capture-sizes", "--compilation-config"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("compilation_config")
    twice = [
        name
        for name in ("cudagraph_capture_sizes", "max_cudagraph_capture_size")
        if ctx.given(name) and config.get(name) is not None
    ]
    if not twice:
        return None
    return Hit(
        message=f"{' and '.join(twice)} given both as a flag and inside --compilation-config.",
        effect="vLLM stops before loading.",
        steps=(put("--compilation-config", {key: value for key, value in config.items() if key not in twice}),),
    )
