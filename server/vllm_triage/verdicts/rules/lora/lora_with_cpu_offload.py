"""Adapters with weights offloaded to the CPU.

## What happens
The engine refuses to start.

## Why
Adapter layers read weights that may be elsewhere.

## Versions
>=0.7,<0.8.3

## Evidence
- vllm/config.py, LoRAConfig.verify_with_cache_config (0.7.3 line 2203, 0.8.2 line 2366)

## Fix
Take --cpu-offload-gb out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--cpu-offload-gb", "--enable-lora"))
def check(ctx: Context) -> Hit | None:
    offloaded = ctx.arg("cpu_offload_gb")
    if ctx.arg("enable_lora") is not True or not isinstance(offloaded, (int, float)) or offloaded <= 0:
        return None
    return Hit(
        message=f"--cpu-offload-gb {offloaded:g} is given with --enable-lora.",
        effect="vLLM stops before loading: CPU offload is not supported with LoRA yet.",
        steps=(drop("--cpu-offload-gb"),),
    )
