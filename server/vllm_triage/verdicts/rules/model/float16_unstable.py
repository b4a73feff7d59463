"""float16 on a model that overflows in it.

## What happens
The engine refuses to start.

## Why
Gemma 2 and 3, GLM-4 and Plamo 2 were trained in bfloat16 and overflow the range of float16.

## Versions
>=0.9

## Evidence
- vllm/config/model.py, _FLOAT16_NOT_SUPPORTED_MODELS and _check_valid_dtype (0.18.0 line 1807, 0.33.0 line 2398)
- create_engine_config of 0.18.0 to 0.33.0 on Gemma 3 with `--dtype float16`

## Fix
Use bfloat16, or leave --dtype out; a device without bfloat16 needs float32.
"""

from ...context import Context
from ...rule import Hit, drop, rule

UNSTABLE = frozenset({"gemma2", "gemma3", "gemma3_text", "glm4", "plamo2"})


@rule("fatal", flags=("--dtype",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("dtype") not in ("half", "float16"):
        return None
    model = ctx.need_model()
    if model.model_type not in UNSTABLE or (model.model_type == "plamo2" and ctx.at_least(0, 23)):
        return None
    return Hit(
        message=f"--dtype {ctx.arg('dtype')} is given for {model.id}, which is numerically unstable in float16.",
        effect="vLLM stops before loading.",
        steps=(drop("--dtype"),),
        fix="`--dtype bfloat16`, or remove `--dtype`.",
    )
