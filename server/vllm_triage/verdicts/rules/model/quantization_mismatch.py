"""--quantization names another method than the checkpoint's.

## What happens
The engine refuses to start.

## Why
The weights are stored in one format; another cannot be applied on top. A checkpoint says its own method, so the flag
is not needed. A method the release does not have is left to rule quantization-unknown: where a plugin brings it, the
plugin may claim the checkpoint as its own.

## Versions
all

## Evidence
- vllm/config/model.py, ModelConfig._verify_quantization (0.18.0 line 949, 0.31.0 line 1410, 0.33.0 line 1457)
- create_engine_config of 0.18.0 to 0.33.0 on an MXFP4 checkpoint with `--quantization gptq`

## Fix
Take --quantization out.
"""

from ....facts.quantization import methods
from ...context import Context
from ...rule import Hit, drop, rule
from ._quantization import claimed_by_loader

_SAME = {
    "awq": {"awq_marlin", "moe_wna16", "cpu_awq", "auto_awq", "inc"},
    "gptq": {"gptq_marlin", "moe_wna16", "gptq_bitblas", "auto_gptq", "inc"},
    "mxfp4": {"gpt_oss_mxfp4"},
}
"""Methods that may run a checkpoint of another name (QuantizationConfig.override_quantization_method)."""


@rule("fatal", flags=("--quantization",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("quantization")
    if not isinstance(asked, str):
        return None
    model = ctx.need_model()
    if model.quantization is None:
        return None
    own = model.quantization.method
    if claimed_by_loader(ctx, model):
        return None  # rule quantization-ignored
    if ctx.at_least(0, 8, 5) and asked not in methods(ctx.version):
        return None  # rule quantization-unknown, which knows of plugins
    if _plain(asked) == _plain(own) or asked in _SAME.get(own, ()):
        return None
    return Hit(
        message=f"{model.id} is stored as {own}, --quantization asks for {asked}.",
        effect="vLLM stops before loading.",
        steps=(drop("--quantization"),),
    )


def _plain(name: str) -> str:
    return name.replace("-", "_")
