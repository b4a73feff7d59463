"""A largest capture size below 1.

## What happens
The engine refuses to start.

## Why
With graphs on, at least one size is captured.

## Versions
>=0.11.1

## Evidence
- vllm/config/vllm.py, VllmConfig._set_cudagraph_sizes (0.18.0, 0.33.0)
- create_engine_config of 0.33.0 on `--max-cudagraph-capture-size -1`

## Fix
Leave it out; --enforce-eager turns graphs off.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--max-cudagraph-capture-size",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("max_cudagraph_capture_size")
    if not isinstance(asked, int) or asked >= 1 or ctx.arg("enforce_eager") is True or ctx.cpu:
        return None
    if ctx.setting("cudagraph_mode") == "NONE":
        return None
    return Hit(
        message=f"--max-cudagraph-capture-size is {asked}.",
        effect="vLLM stops before loading.",
        steps=(drop("--max-cudagraph-capture-size"),),
    )
