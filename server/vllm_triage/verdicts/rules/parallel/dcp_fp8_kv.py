"""Decode context parallelism of an MLA model with an FP8 cache.

## What happens
The workers stop in their first decode step, while they warm up.

## Why
The query is gathered over ranks before it is quantized; the two were not combined until 0.25.

## Versions
>=0.10.2,<0.25

## Evidence
- vllm/v1/attention/backends/mla/common.py (0.10.2 to 0.14.1) and vllm/model_executor/layers/attention/mla_attention.py
  (0.15.0 to 0.24.0), the assertion that DCP does not support an FP8 cache
- https://github.com/vllm-project/vllm/pull/44044

## Fix
Leave --kv-cache-dtype at auto, or upgrade.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--decode-context-parallel-size", "--kv-cache-dtype"), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    if ctx.dcp <= 1:
        return None
    model = ctx.need_model()
    if not model.uses_mla or any(run.kind in ("mla_sparse", "mla_compressed") for run in model.runs):
        return None
    asked, kv = ctx.arg("kv_cache_dtype"), ctx.setting("kv_cache_dtype")
    if kv is None:
        ctx.need_gpu()
    if not str(kv or "").startswith("fp8"):
        return None
    whose = f"--kv-cache-dtype {asked}" if asked else f"the checkpoint's {kv} cache"
    return Hit(
        message=f"--decode-context-parallel-size {ctx.dcp} is given with {whose} for {model.id} (MLA).",
        effect="The workers stop in their first decode step.",
        steps=(put("--kv-cache-dtype", "bfloat16"),) if ctx.at_least(0, 12) else (put("--decode-context-parallel-size", 1),),
    )
