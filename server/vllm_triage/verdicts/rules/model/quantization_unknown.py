"""A quantization method this version does not have.

## What happens
The engine refuses to start: unknown quantization method.

## Why
Methods come and go: gguf is gone from 0.24, bitsandbytes from 0.28 (both moved to plugins), the bitblas family from
0.16.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/__init__.py of every release, recorded method by method

## Fix
Use a method the release has, or a checkpoint in one of its formats.
"""

from ....facts.quantization import methods
from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--quantization",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("quantization")
    if not isinstance(asked, str) or asked in ("None", "none") or asked in methods(ctx.version):
        return None
    if ctx.given("quantization_config"):
        return None
    return Hit(
        message=f"--quantization {asked} is not a method of vLLM {ctx.version}.",
        effect="vLLM stops before loading, unless a plugin registers the method.",
        steps=(drop("--quantization"),),
    )
