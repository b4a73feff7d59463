"""Aligned state caching with unchunked multimodal input.

## What happens
The engine refuses to start.

## Why
Chunks end at block boundaries, also inside an image.

## Versions
>=0.15

## Evidence
- vllm/config/vllm.py, VllmConfig.validate_block_size (0.18.0 line 1672, 0.31.0 line 3407, 0.33.0 line 3415)

## Fix
Take --disable-chunked-mm-input out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--disable-chunked-mm-input", "--mamba-cache-mode"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("disable_chunked_mm_input") is not True or ctx.arg("mamba_cache_mode") != "align":
        return None
    model = ctx.need_model()
    if not any(run.kind in ("mamba", "linear") for run in model.runs):
        return None
    return Hit(
        message=f"--disable-chunked-mm-input is given with --mamba-cache-mode align for {model.id}.",
        effect="vLLM stops before loading.",
        steps=(drop("--disable-chunked-mm-input"),),
    )
