"""A bfloat16 cache asked for on a device without bfloat16.

## What happens
The worker refuses to start.

## Why
Compute capability 8.0 brought bfloat16. --dtype falls back to float16 below it, a cache type given by name does not.

## Versions
>=0.24

## Evidence
- vllm/v1/attention/backends/triton_attn.py, TritonAttentionImpl.__init__, and mla/triton_mla.py (0.24.0, 0.28.0, 0.33.0)

## Fix
Leave --kv-cache-dtype at auto, or give float16.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("kv_cache_dtype") != "bfloat16":
        return None
    have = ctx.need_capability()
    if have is None or have >= (8, 0):
        return None
    return Hit(
        message=f"--kv-cache-dtype bfloat16 is given on {ctx.need_gpu().name}, compute capability {have[0]}.{have[1]}.",
        effect="The worker stops while it sets up attention.",
        steps=(drop("--kv-cache-dtype"),),
    )
