"""The largest capture size disagrees with the list of sizes.

## What happens
The engine refuses to start.

## Why
With both given, the maximum must be the largest size that is captured.

## Versions
>=0.11.1

## Evidence
- vllm/config/vllm.py, VllmConfig._set_cudagraph_sizes (0.18.0 line 1410, 0.31.0 and 0.33.0 line 2619)

## Fix
Give one of the two.
"""

from ...context import Context
from ...rule import Hit, drop, put, rule


def _captures(ctx: Context) -> bool:
    """True unless no graph is captured at all."""
    return ctx.arg("enforce_eager") is not True and ctx.setting("cudagraph_mode") != "NONE" and not ctx.cpu


@rule("fatal", flags=("--max-cudagraph-capture-size", "--cudagraph-capture-sizes"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("compilation_config")
    sizes = ctx.arg("cudagraph_capture_sizes") or config.get("cudagraph_capture_sizes")
    most = ctx.arg("max_cudagraph_capture_size") or config.get("max_cudagraph_capture_size")
    if not isinstance(sizes, list) or not isinstance(most, int) or not _captures(ctx):
        return None
    budget = ctx.need_number("max_num_batched_tokens")
    whole = [size for size in sizes if isinstance(size, int) and size <= budget]
    largest = max(whole, default=0)
    if not sizes or largest == most:
        return None
    return Hit(
        message=f"max_cudagraph_capture_size is {most}; the largest size captured is {largest}.",
        effect="vLLM stops before loading.",
        steps=(drop("--max-cudagraph-capture-size"),)
        if ctx.given("max_cudagraph_capture_size")
        else (put("--compilation-config", {k: v for k, v in config.items() if k != "max_cudagraph_capture_size"}),),
    )
