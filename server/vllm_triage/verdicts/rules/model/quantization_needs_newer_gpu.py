"""A quantization method the device is too old for.

## What happens
The engine refuses to start.

## Why
Every method names the least compute capability its kernels run on: MXFP4 needs 8.0, ModelOpt FP8 8.9 (8.0 from 0.27),
the NVFP4 and MXFP8 families more.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/*.py, get_min_capability of every method, recorded for each release;
  vllm/config/vllm.py, VllmConfig._get_quantization_config (0.18.0 line 510, 0.31.0 line 926, 0.33.0 line 931)
- create_engine_config of 0.18.0 to 0.33.0 on an MXFP4 checkpoint and a T4

## Fix
Use a checkpoint in another format, or a newer GPU.
"""

from ...context import Context
from ...rule import Hit, drop, rule
from ._quantization import effective


@rule("fatal", flags=("--quantization",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    method = effective(ctx)
    if method is None or method.capability is None or method.capability <= 0:
        return None
    capability = ctx.need_capability()
    if capability is None:
        return None
    have = capability[0] * 10 + capability[1]
    if have >= method.capability:
        return None
    need = f"{method.capability // 10}.{method.capability % 10}"
    own = ctx.model is not None and ctx.model.quantization is not None
    return Hit(
        message=f"{method.name} needs compute capability {need}; {ctx.need_gpu().name} has "
        f"{capability[0]}.{capability[1]}.",
        effect="vLLM stops before loading.",
        steps=() if own else (drop("--quantization"),),
        fix="Serve a checkpoint in another format (AWQ and GPTQ run from 7.5), or use a newer GPU.",
    )
