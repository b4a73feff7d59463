"""A bfloat16 checkpoint runs in float16 on this device.

## What happens
The engine starts and casts the weights.

## Why
Left to `auto`, the dtype is the checkpoint's if the device has it, else float16 (float32 for models that overflow in
float16). Values beyond 65504 become infinity.

## Versions
>=0.6.6

## Evidence
- vllm/config/model.py, _resolve_auto_dtype (0.18.0 line 1833, 0.33.0)

## Fix
Say --dtype half to show that it is meant.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ..model._quantization import effective


@rule("silent", flags=("--dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("dtype", "auto") != "auto":
        return None
    model, have = ctx.need_model(), ctx.need_capability()
    if have is None or have >= (8, 0) or model.dtype != "bfloat16":
        return None
    got = ctx.setting("dtype") or "float16"
    if got == "bfloat16":
        return None
    method = effective(ctx)
    if method is not None and got not in {"float16" if name == "half" else name for name in method.dtypes or (got,)}:
        return None  # quantization-dtype or quantization-needs-newer-gpu tells that it does not run at all
    return Hit(
        message=f"{model.id} is stored in bfloat16, which {ctx.need_gpu().name} does not have: it runs in {got}.",
        effect="Twice the memory of a 16-bit model." if got == "float32" else "Large activations may overflow.",
        steps=(put("--dtype", "half" if got == "float16" else "float32"),),
        changed=(("dtype", "bfloat16", got),),
    )
