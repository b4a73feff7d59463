"""bfloat16 on a device without it.

## What happens
The worker refuses to start.

## Why
bfloat16 arithmetic exists from compute capability 8.0.

## Versions
all

## Evidence
- vllm/worker/worker.py, _check_if_gpu_supports_dtype (0.6.0 to 0.7.3)
- vllm/platforms/cuda.py, CudaPlatformBase.check_if_supports_dtype (0.18.0 line 456, 0.31.0 line 668, 0.33.0 line 650)

## Fix
Use --dtype half, or float32 for a model that overflows in it.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ..model._quantization import effective
from ..model.float16_unstable import UNSTABLE


@rule("fatal", flags=("--dtype",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("dtype") != "bfloat16":
        return None
    have = ctx.need_capability()
    if have is None or have >= (8, 0):
        return None
    method = None if ctx.model is None else effective(ctx)
    runs = method is None or not method.dtypes or not {"half", "float16"}.isdisjoint(method.dtypes)
    half = "half" if ctx.model is None or ctx.model.model_type not in UNSTABLE else "float32"
    return Hit(
        message=f"--dtype bfloat16 is given; {ctx.need_gpu().name} has compute capability {have[0]}.{have[1]}.",
        effect="The worker stops: bfloat16 needs compute capability 8.0.",
        steps=(put("--dtype", half),) if runs else (),
        fix="" if runs else "Serve it on a GPU of compute capability 8.0 or newer: its quantization takes bfloat16 alone.",
    )
