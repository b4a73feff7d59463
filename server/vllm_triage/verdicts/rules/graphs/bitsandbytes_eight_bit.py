"""CUDA graphs with an 8-bit bitsandbytes checkpoint.

## What happens
The engine starts in eager mode with a warning.

## Why
The 8-bit kernels cannot be captured.

## Versions
>=0.8.3,<0.28

## Evidence
- vllm/config/model.py, ModelConfig._verify_bnb_config (0.18.0 line 1005)

## Fix
Say --enforce-eager, or use a 4-bit checkpoint.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--quantization",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enforce_eager") is True:
        return None
    model = ctx.model
    if model is None or model.quantization is None or model.quantization.method != "bitsandbytes":
        return None
    if model.quantization.weight_bits is None or model.quantization.weight_bits < 8:
        return None
    return Hit(
        message=f"{model.id} is an 8-bit bitsandbytes checkpoint.",
        effect="Every step runs without graphs.",
        steps=(put("--enforce-eager", True),),
        changed=(("enforce_eager", False, True),),
    )
