"""Capture sizes without CUDA graphs.

## What happens
The engine starts; nothing is captured.

## Why
--enforce-eager, -O0 and cudagraph_mode NONE turn graphs off.

## Versions
>=0.11.1

## Evidence
- vllm/config/vllm.py, VllmConfig._set_cudagraph_sizes (0.18.0, 0.33.0: no cudagraph in use)

## Fix
Take the sizes out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_SIZES = (
    ("--max-cudagraph-capture-size", "max_cudagraph_capture_size"),
    ("--cudagraph-capture-sizes", "cudagraph_capture_sizes"),
)


@rule("silent", flags=("--max-cudagraph-capture-size", "--cudagraph-capture-sizes", "--enforce-eager"))
def check(ctx: Context) -> Hit | None:
    off = ctx.arg("enforce_eager") is True or ctx.setting("cudagraph_mode") == "NONE"
    given = [(flag, dest) for flag, dest in _SIZES if ctx.arg(dest)]
    if not off or not given or ctx.cpu:
        return None
    return Hit(
        message=f"{' and '.join(flag for flag, _ in given)} given while CUDA graphs are off.",
        effect="Nothing is captured.",
        flags=tuple(flag for flag, _ in given),
        steps=tuple(drop(flag) for flag, _ in given),
        changed=tuple((dest, ctx.arg(dest), 0 if dest.startswith("max") else []) for _, dest in given),
    )
