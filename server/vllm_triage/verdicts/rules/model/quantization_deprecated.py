"""A deprecated quantization method.

## What happens
The engine refuses to start.

## Why
Methods on their way out need --allow-deprecated-quantization.

## Versions
>=0.14

## Evidence
- vllm/config/model.py, ModelConfig._verify_quantization (0.18.0 line 964); DEPRECATED_QUANTIZATION_METHODS of
  vllm/model_executor/layers/quantization/__init__.py, recorded for each release

## Fix
Allow it for now, and move to a checkpoint in a supported format.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ._quantization import effective


@rule("fatal", flags=("--quantization", "--allow-deprecated-quantization"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("allow_deprecated_quantization") is True:
        return None
    method = effective(ctx)
    if method is None or not method.deprecated:
        return None
    return Hit(
        message=f"Quantization {method.name} is deprecated in {ctx.version}.",
        effect="vLLM stops before loading.",
        steps=(put("--allow-deprecated-quantization", True),),
    )
