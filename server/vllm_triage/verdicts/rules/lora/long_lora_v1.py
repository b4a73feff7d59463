"""Long LoRA on the V1 engine.

## What happens
The engine refuses to start.

## Why
V1 scales no rotary embedding by adapter.

## Versions
>=0.8.4,<0.10

## Evidence
- vllm/config.py, LoRAConfig.verify_lora_support (0.8.5 line 2707, 0.9.2)

## Fix
Take --long-lora-scaling-factors out, or set VLLM_USE_V1=0.
"""

from ...context import Context
from ...rule import Hit, rule, set_env


@rule("fatal", flags=("--long-lora-scaling-factors", "--enable-lora"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_lora") is not True or not ctx.arg("long_lora_scaling_factors"):
        return None
    if ctx.env.get("VLLM_USE_V1") == "0":
        return None
    return Hit(
        message="--long-lora-scaling-factors is given on the V1 engine.",
        effect="vLLM stops before loading: V1 LoRA does not support long LoRA.",
        steps=(set_env("VLLM_USE_V1", "0"),),
    )
