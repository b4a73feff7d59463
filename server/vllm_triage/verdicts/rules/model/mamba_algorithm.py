"""A state-update algorithm without the backend that has it.

## What happens
The engine refuses to start.

## Why
Only FlashInfer's kernels come in several algorithms.

## Versions
>=0.27

## Evidence
- vllm/config/mamba.py, MambaConfig.validate_ssu_algorithm (0.31.0, 0.33.0)
- create_engine_config of 0.33.0 on `--mamba-ssu-algorithm auto`

## Fix
Add --mamba-backend flashinfer.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--mamba-ssu-algorithm", "--mamba-backend"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("mamba_ssu_algorithm")
    if asked is None or str(ctx.arg("mamba_backend", "")).lower() == "flashinfer":
        return None
    return Hit(
        message=f"--mamba-ssu-algorithm {asked} is given without --mamba-backend flashinfer.",
        effect="vLLM stops before loading.",
        steps=(drop("--mamba-ssu-algorithm"),),
    )
