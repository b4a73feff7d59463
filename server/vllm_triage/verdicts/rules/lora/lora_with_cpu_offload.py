"""Adapters with weights offloaded to the CPU.

## What happens
The engine refuses to start.

## Why
Adapter layers read weights that may be elsewhere. V1 can from 0.8.3, V0 never could.

## Versions
>=0.7,<0.11

## Evidence
- vllm/config.py, LoRAConfig.verify_with_cache_config (0.7.3 line 2203, 0.8.2 line 2366; "V0 LoRA does not support CPU
  offload" from 0.8.3 to 0.10.2)

## Fix
Take --cpu-offload-gb out.
"""

from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--cpu-offload-gb", "--enable-lora"))
def check(ctx: Context) -> Hit | None:
    offloaded = ctx.arg("cpu_offload_gb")
    if ctx.arg("enable_lora") is not True or not isinstance(offloaded, (int, float)) or offloaded <= 0:
        return None
    if ctx.at_least(0, 8, 3) and runs_v0(ctx) is not True:
        return None
    return Hit(
        message=f"--cpu-offload-gb {offloaded:g} is given with --enable-lora.",
        effect="vLLM stops before loading: CPU offload is not supported with LoRA yet.",
        steps=(drop("--cpu-offload-gb"),),
    )
