"""A dtype the quantization method does not compute in.

## What happens
The engine refuses to start.

## Why
Each method lists the activation dtypes its kernels take; MXFP4 takes bfloat16 alone.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/*.py, get_supported_act_dtypes of every method, recorded for each release;
  vllm/config/vllm.py, VllmConfig._get_quantization_config (0.18.0 line 517)
- create_engine_config of 0.18.0 to 0.33.0 on an MXFP4 checkpoint with `--dtype half` and `--dtype float32`

## Fix
Leave --dtype out, or name one of the dtypes listed.
"""

from ...context import Context
from ...rule import Hit, drop, rule
from ._quantization import effective

_NAMES = {"half": "float16", "float": "float32"}


@rule("fatal", flags=("--dtype", "--quantization"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("dtype")
    if not isinstance(asked, str) or asked == "auto":
        return None
    method = effective(ctx)
    if method is None or not method.dtypes:
        return None
    takes = {_NAMES.get(name, name) for name in method.dtypes}
    if _NAMES.get(asked, asked) in takes:
        return None
    return Hit(
        message=f"--dtype {asked} is given, {method.name} computes in {' or '.join(sorted(takes))}.",
        effect="vLLM stops before loading.",
        steps=(drop("--dtype"),),
    )
