"""A quantization method this version does not have.

## What happens
The engine refuses to start: unknown quantization method.

## Why
Methods come and go: gguf is gone from 0.24, bitsandbytes from 0.28 (both moved to plugins), the bitblas family from
0.16. A plugin may register its own: a launch that names one, or a device that is neither NVIDIA's nor AMD's, is not
judged. Some loaders claim their checkpoint whatever the flag says.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/__init__.py of every release, recorded method by method;
  vllm/config/model.py, ModelConfig._verify_quantization (0.18.0 line 949, 0.33.0 line 1457);
  register_quantization_config and Platform.pre_register_and_update for what plugins add

## Fix
Use a method the release has, or a checkpoint in one of its formats.
"""

from ....facts.quantization import methods
from ...context import Context
from ...rule import Hit, drop, rule
from ._quantization import claimed_by_loader


@rule("fatal", flags=("--quantization",), needs=("model", "gpu", "plugins"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("quantization")
    if not isinstance(asked, str) or asked in ("None", "none") or asked in methods(ctx.version):
        return None
    if ctx.given("quantization_config"):
        return None
    ctx.need_own_names()
    if claimed_by_loader(ctx, ctx.need_model()) or ctx.need_gpu().vendor not in ("nvidia", "amd"):
        return None  # a platform plugin brings methods of its own
    return Hit(
        message=f"--quantization {asked} is not a method of vLLM {ctx.version}.",
        effect="vLLM stops before loading, unless a plugin registers the method.",
        steps=(drop("--quantization"),),
    )
