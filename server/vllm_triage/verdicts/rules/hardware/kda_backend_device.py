"""A KDA prefill kernel of another vendor's devices.

## What happens
The engine refuses to start.

## Why
The fused kernel was written for ROCm, FlashKDA for CUDA. The model is not asked: any launch with the flag is refused.

## Versions
>=0.30

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.30.0 line 2641, 0.33.0 lines 2868-2878)
- create_engine_config of 0.31.0 to 0.33.0 on `fused`

## Fix
Leave --kda-prefill-backend at auto.
"""

from ...context import Context
from ...rule import Hit, drop, rule

MADE_FOR = {"fused": ("amd", "ROCm"), "flashkda": ("nvidia", "CUDA")}


@rule("fatal", flags=("--kda-prefill-backend",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kda_prefill_backend")
    if not isinstance(asked, str) or asked not in MADE_FOR:
        return None
    vendor, platform = MADE_FOR[asked]
    if ctx.need_gpu().vendor == vendor:
        return None
    return Hit(
        message=f"--kda-prefill-backend {asked} is for {platform}, the device is {ctx.need_gpu().name}.",
        effect="vLLM stops before loading.",
        steps=(drop("--kda-prefill-backend"),),
    )
