"""Fewer adapters on the CPU than on the GPU.

## What happens
The engine refuses to start.

## Why
Adapters are loaded through the CPU cache, which must hold at least the active ones.

## Versions
all

## Evidence
- vllm/config/lora.py, LoRAConfig._validate_lora_config (0.18.0 line 96, 0.31.0 and 0.33.0 line 124)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Raise --max-cpu-loras to --max-loras, or take it out.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--max-cpu-loras", "--max-loras"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_lora") is not True or not ctx.given("max_cpu_loras"):
        return None
    cached, active = ctx.whole("max_cpu_loras"), ctx.whole("max_loras", 1)
    if cached >= active:
        return None
    return Hit(
        message=f"max_cpu_loras {cached} is smaller than max_loras {active}.",
        effect="vLLM stops before loading.",
        steps=(put("--max-cpu-loras", active),),
    )
