"""The largest capture size is truncated.

## What happens
The engine starts with a smaller maximum and a warning.

## Why
Sizes follow a stride of 8 and then 16 and end at the token budget, so the maximum becomes the largest of them.

## Versions
>=0.11.1

## Evidence
- vllm/config/vllm.py, VllmConfig._set_cudagraph_sizes (0.18.0 line 1410, 0.31.0 and 0.33.0 line 2619)

## Fix
Give a multiple of 16 within the token budget.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--max-cudagraph-capture-size",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.whole("max_cudagraph_capture_size")
    if asked <= 0 or ctx.given("cudagraph_capture_sizes") or ctx.arg("enforce_eager") is True:
        return None
    got = ctx.number("max_cudagraph_capture_size")
    if got is None:
        ctx.need_gpu()
    if got is None or got >= asked or got == 0:
        return None
    return Hit(
        message=f"max_cudagraph_capture_size {asked} becomes {got}.",
        effect="Batches above it run without a graph.",
        steps=(put("--max-cudagraph-capture-size", got),),
        changed=(("max_cudagraph_capture_size", asked, got),),
    )
