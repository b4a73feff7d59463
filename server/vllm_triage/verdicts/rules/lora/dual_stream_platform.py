"""LoRA on two streams of a device that has none.

## What happens
The engine refuses to start.

## Why
VLLM_LORA_ENABLE_DUAL_STREAM overlaps adapters with the base model on CUDA streams, which CUDA and ROCm have.

## Versions
>=0.20

## Evidence
- vllm/config/lora.py, LoRAConfig._validate_lora_config (0.20.0, 0.28.0 line 125, 0.33.0 line 129)

## Fix
Unset VLLM_LORA_ENABLE_DUAL_STREAM.
"""

from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("fatal", flags=("--enable-lora",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_lora") is not True or ctx.env.get("VLLM_LORA_ENABLE_DUAL_STREAM", "0") in ("0", ""):
        return None
    gpu = ctx.need_gpu()
    if gpu.vendor in ("nvidia", "amd"):
        return None
    return Hit(
        message=f"VLLM_LORA_ENABLE_DUAL_STREAM is set with --enable-lora on {gpu.name}.",
        effect="vLLM stops before loading.",
        steps=(drop_env("VLLM_LORA_ENABLE_DUAL_STREAM"),),
    )
