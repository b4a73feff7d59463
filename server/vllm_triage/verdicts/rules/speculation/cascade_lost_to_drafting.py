"""Cascade attention is switched off under async speculation.

## What happens
The engine starts with cascade attention off and one warning.

## Why
The two are not compatible yet; from 0.32 cascade attention is gone.

## Versions
>=0.19,<0.32

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.19.0 to 0.31.0; 0.31.0 line 1656)

## Fix
Leave --no-disable-cascade-attn out, or turn async scheduling off.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("silent", flags=("--disable-cascade-attn", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    if ctx.spec is None or ctx.arg("disable_cascade_attn") is not False or ctx.setting("async_scheduling") is not True:
        return None
    return Hit(
        message="Cascade attention is asked for with speculation under async scheduling.",
        effect="Cascade attention stays off.",
        steps=(drop("--disable-cascade-attn"),),
        fix="Remove `--no-disable-cascade-attn`, or add `--no-async-scheduling`.",
        changed=(("disable_cascade_attn", False, True),),
    )
