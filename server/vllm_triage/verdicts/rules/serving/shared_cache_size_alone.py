"""A size of the shared input cache where the cache is not shared.

## What happens
The engine refuses to start.

## Why
Objects are kept in shared memory with --mm-processor-cache-type shm alone.

## Versions
>=0.11.1

## Evidence
- vllm/config/multimodal.py, MultiModalConfig._validate_multimodal_config (0.11.1, 0.28.0 line 314, 0.33.0 line 521)

## Fix
Give --mm-processor-cache-type shm, or take the size out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

DEFAULT = 128
"""Given as it is by default, in MiB, nothing is asked for."""


@rule("fatal", flags=("--mm-shm-cache-max-object-size-mb", "--mm-processor-cache-type"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    size = ctx.arg("mm_shm_cache_max_object_size_mb")
    if size in (None, DEFAULT) or ctx.arg("mm_processor_cache_type") == "shm" or not ctx.need_model().is_multimodal:
        return None
    return Hit(
        message=f"--mm-shm-cache-max-object-size-mb {size} is given without --mm-processor-cache-type shm.",
        effect="vLLM stops before loading.",
        steps=(drop("--mm-shm-cache-max-object-size-mb"),),
    )
