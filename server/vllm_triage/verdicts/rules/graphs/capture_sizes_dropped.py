"""Capture sizes above the token budget are dropped.

## What happens
The engine starts with a shorter list and a warning.

## Why
No step holds more tokens than the budget.

## Versions
>=0.11.1

## Evidence
- vllm/config/vllm.py, VllmConfig._set_cudagraph_sizes (0.18.0 line 1430, 0.31.0 and 0.33.0 line 2639)

## Fix
Leave those sizes out, or raise --max-num-batched-tokens.
"""

from ....domain import Json
from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("silent", flags=("--cudagraph-capture-sizes", "--max-num-batched-tokens"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    sizes = ctx.arg("cudagraph_capture_sizes") or ctx.mapping("compilation_config").get("cudagraph_capture_sizes")
    if not isinstance(sizes, list) or not sizes or ctx.arg("enforce_eager") is True:
        return None
    budget = ctx.need_number("max_num_batched_tokens")
    kept: list[Json] = [size for size in sizes if isinstance(size, int) and size <= budget]
    if len(kept) == len(sizes) or not ctx.given("cudagraph_capture_sizes"):
        return None
    if ctx.setting("cudagraph_mode") == "NONE":
        return None
    return Hit(
        message=f"{len(sizes) - len(kept)} of {len(sizes)} capture sizes exceed the {budget} tokens of a step.",
        effect="Those sizes are not captured." if kept else "Nothing is captured.",
        steps=(put("--cudagraph-capture-sizes", kept) if kept else drop("--cudagraph-capture-sizes"),),
        changed=(("cudagraph_capture_sizes", sizes, kept),),
    )
