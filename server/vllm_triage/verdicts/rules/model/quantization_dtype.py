"""A dtype the quantization method does not compute in.

## What happens
The engine refuses to start.

## Why
Each method lists the activation dtypes its kernels take; MXFP4 takes bfloat16 alone. A checkpoint that overflows in
float16, such as Gemma 3, runs in float32 on a GPU without bfloat16, which no method takes.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/*.py, get_supported_act_dtypes of every method, recorded for each release;
  vllm/config/vllm.py, VllmConfig._get_quantization_config (0.18.0 line 517)
- vllm/model_executor/layers/quantization/gguf.py, GGUFConfig.get_supported_act_dtypes (0.13.0 to 0.23.0)
- create_engine_config of 0.18.0 to 0.33.0 on an MXFP4 checkpoint with `--dtype half` and `--dtype float32`

## Fix
Leave --dtype out, or name one of the dtypes listed.
"""

from ...context import Context
from ...rule import Hit, drop, rule
from ._quantization import effective

_NAMES = {"half": "float16", "float": "float32"}


def _lost(ctx: Context, method: str) -> set[str]:
    """What a method does not take on this device though it lists it: GGUF is imprecise in bfloat16 on Blackwell."""
    if method != "gguf" or ctx.gpu is None or not ctx.at_least(0, 13):
        return set()
    have = ctx.need_capability()
    return {"bfloat16"} if have is not None and have >= (10, 0) else set()


@rule("fatal", flags=("--dtype", "--quantization"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("dtype")
    derived = asked in (None, "auto")
    if derived:
        asked = ctx.setting("dtype")
        # float32 is what a checkpoint that float16 overflows gets on a GPU without bfloat16
        if asked != "float32" and not ctx.given("quantization"):
            return None
    if not isinstance(asked, str):
        return None
    method = effective(ctx)
    if method is None or not method.dtypes:
        return None
    takes = {_NAMES.get(name, name) for name in method.dtypes} - _lost(ctx, method.name)
    if _NAMES.get(asked, asked) in takes:
        return None
    flag = "--quantization" if derived else "--dtype"
    return Hit(
        message=f"{'The model runs in' if derived else '--dtype'} {asked}{'' if derived else ' is given'}, "
        f"{method.name} computes in {' or '.join(sorted(takes))}.",
        effect="vLLM stops before loading.",
        steps=(drop(flag),) if ctx.given(flag[2:]) else (),
        fix="" if ctx.given(flag[2:]) else "Serve it on a GPU with bfloat16, compute capability 8.0 or newer.",
    )
