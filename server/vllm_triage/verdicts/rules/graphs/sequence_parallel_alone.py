"""Sequence parallelism without tensor parallelism.

## What happens
The engine starts with the pass off and a warning.

## Why
The pass splits work between tensor-parallel ranks.

## Versions
>=0.16,<0.32

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 865, 0.31.0 line 1871; gone in 0.32)

## Fix
Take enable_sp out.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--compilation-config", "--tensor-parallel-size"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("compilation_config")
    passes = config.get("pass_config")
    if not isinstance(passes, dict) or passes.get("enable_sp") is not True or ctx.tp > 1:
        return None
    kept = {key: value for key, value in passes.items() if key != "enable_sp"}
    return Hit(
        message="pass_config.enable_sp is true with tensor parallel size 1.",
        effect="The pass is switched off.",
        steps=(put("--compilation-config", {**config, "pass_config": kept}),),
        changed=(("enable_sp", True, False),),
    )
