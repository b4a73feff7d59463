"""--mamba-block-size without prefix caching.

## What happens
The engine refuses to start.

## Why
Without prefix caching a sequence has one state, not one for each block.

## Versions
>=0.11.1

## Evidence
- vllm/config/vllm.py, VllmConfig.validate_mamba_block_size (0.18.0 line 1687, 0.31.0 line 3441, 0.33.0 line 3449)

## Fix
Take it out, or turn prefix caching on.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--mamba-block-size", "--enable-prefix-caching"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    size = ctx.whole("mamba_block_size")
    if size <= 0:
        return None
    cached = ctx.setting("enable_prefix_caching")
    if cached is None:
        ctx.need_model()
    if cached is not False or size == ctx.number("max_model_len"):
        return None
    return Hit(
        message=f"--mamba-block-size {size} is given while prefix caching is off.",
        effect="vLLM stops before loading.",
        steps=(drop("--mamba-block-size"),),
    )
