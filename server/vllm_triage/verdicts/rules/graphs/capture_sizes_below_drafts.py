"""No graph is large enough for one sequence with its drafts.

## What happens
The engine stops when it captures CUDA graphs.

## Why
Full graphs of decode hold whole batches of a token and its drafts; sizes are rounded to multiples of that and none is left.
The V2 model runner sizes its graphs itself.

## Versions
>=0.11.1

## Evidence
- vllm/config/compilation.py, CompilationConfig.adjust_cudagraph_sizes_for_spec_decode (0.11.1, 0.28.0 line 1555, 0.33.0)

## Fix
Capture a larger size, or draft fewer tokens.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--cudagraph-capture-sizes", "--max-cudagraph-capture-size", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    given = ctx.given("cudagraph_capture_sizes") or ctx.given("max_cudagraph_capture_size")
    if spec is None or not spec.tokens or not given or "FULL" not in str(ctx.setting("cudagraph_mode") or ""):
        return None
    runner = ctx.setting("model_runner") if ctx.at_least(0, 29) else None
    if runner == "v2" or ctx.env.get("VLLM_USE_V2_MODEL_RUNNER") == "1":
        return None
    sizes = ctx.arg("cudagraph_capture_sizes")
    listed = [size for size in sizes if isinstance(size, int)] if isinstance(sizes, list) else []
    largest = ctx.whole("max_cudagraph_capture_size") or max(listed, default=0)
    if not 0 < largest <= spec.tokens:
        return None
    return Hit(
        message=f"The largest graph is for {largest} tokens, one sequence with its {spec.tokens} drafts has {spec.tokens + 1}.",
        effect="The engine stops while it captures CUDA graphs.",
        steps=(drop("--cudagraph-capture-sizes"), drop("--max-cudagraph-capture-size")),
    )
