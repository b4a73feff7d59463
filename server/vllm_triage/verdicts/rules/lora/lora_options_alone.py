"""LoRA options without --enable-lora.

## What happens
The options are ignored; a request for an adapter is answered as for an unknown model.

## Why
Adapters are switched on by --enable-lora alone (from 0.10, --lora-modules also works only with it).

## Versions
>=0.6.6

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config: LoRAConfig is built only with enable_lora (0.18.0,
  0.33.0)

## Fix
Add --enable-lora.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_OPTIONS = (
    ("--max-loras", "max_loras"),
    ("--max-lora-rank", "max_lora_rank"),
    ("--lora-modules", "lora_modules"),
    ("--max-cpu-loras", "max_cpu_loras"),
)


@rule("degraded", flags=("--max-loras", "--max-lora-rank", "--lora-modules", "--enable-lora"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_lora") is True:
        return None
    given = [flag for flag, dest in _OPTIONS if ctx.arg(dest) not in (None, [], "")]
    if not given:
        return None
    return Hit(
        message=f"{', '.join(given)} given without --enable-lora.",
        effect="No adapter is served.",
        flags=tuple(given),
        steps=tuple(drop(flag) for flag in given),
        fix="Add `--enable-lora` where adapters are meant; remove them otherwise.",
    )
