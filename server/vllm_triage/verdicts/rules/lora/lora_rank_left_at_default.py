"""Adapters with the default maximum rank.

## What happens
An adapter of a higher rank is refused when it is loaded.

## Why
Buffers are made for --max-lora-rank, 16 unless it is raised; many published adapters have rank 32 or 64.

## Versions
>=0.6.6

## Evidence
- vllm/config/lora.py, LoRAConfig.max_lora_rank (default 16, 0.18.0 and 0.33.0); vllm/lora/peft_helper.py,
  PEFTHelper.validate_legal

## Fix
Set --max-lora-rank to the largest rank served.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("advice", flags=("--max-lora-rank", "--lora-modules"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_lora") is not True or ctx.given("max_lora_rank") or not ctx.arg("lora_modules"):
        return None
    return Hit(
        message="Adapters are named and --max-lora-rank is left at 16.",
        effect="An adapter of rank above 16 does not load.",
        steps=(put("--max-lora-rank", 64),),
        fix="`--max-lora-rank 64`, or the largest `r` of the adapters' adapter_config.json.",
    )
