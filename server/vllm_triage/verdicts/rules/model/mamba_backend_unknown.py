"""A Mamba backend that does not exist.

## What happens
The engine refuses to start.

## Why
The parser takes any word; the configuration looks it up.

## Versions
>=0.20

## Evidence
- vllm/config/mamba.py, MambaBackendEnum (0.20.0 line 21, 0.33.0)
- create_engine_config of 0.23.0 and 0.33.0 on `x`

## Fix
Use triton or flashinfer.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--mamba-backend",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("mamba_backend")
    if not isinstance(asked, str) or asked.upper() in ("TRITON", "FLASHINFER", "CPU"):
        return None
    return Hit(
        message=f"--mamba-backend {asked} is neither triton, flashinfer nor cpu.",
        effect="vLLM stops before loading.",
        steps=(drop("--mamba-backend"),),
    )
