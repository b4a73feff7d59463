"""Several renderers over the input cache of a pooling model.

## What happens
The engine refuses to start.

## Why
A pooling model prepares its inputs in the renderers, and the multimodal processor cache is not safe between threads.

## Versions
>=0.19

## Evidence
- vllm/config/model.py, ModelConfig.__post_init__ (0.19.0: any multimodal model; 0.27.0: pooling ones; 0.33.0
  line 901)

## Fix
Use --renderer-num-workers 1, or turn the cache off by --mm-processor-cache-gb 0.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--renderer-num-workers", "--mm-processor-cache-gb", "--runner"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    workers = ctx.whole("renderer_num_workers", 1)
    if workers <= 1 or ctx.arg("mm_processor_cache_gb") in (0, 0.0):
        return None
    model = ctx.need_model()
    pooling = model.is_pooling or ctx.arg("runner") == "pooling"
    if not model.is_multimodal or not (pooling or _any_multimodal(ctx)):
        return None
    return Hit(
        message=f"--renderer-num-workers {workers} is given for {model.id} with the multimodal processor cache on.",
        effect="vLLM stops before loading.",
        steps=(drop("--renderer-num-workers"),),
    )


def _any_multimodal(ctx: Context) -> bool:
    """Releases that refuse models which generate too."""
    return ctx.within("<0.27")
