"""TurboQuant KV cache on a model whose attention layers it cannot tell apart.

## What happens
The engine refuses to start.

## Why
It keeps the first and last full-attention layers in the native type, and must find them in the model's config.

## Versions
>=0.20

## Evidence
- vllm/engine/arg_utils.py and vllm/v1/attention/ops/turboquant (0.31.0, 0.33.0: requires identifiable full-attention
  layers)
- create_engine_config of 0.33.0 on Falcon-H1

## Fix
Use fp8.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if not isinstance(asked, str) or not asked.startswith("turboquant_"):
        return None
    model = ctx.need_model()
    beside = any(run.beside for run in model.runs)
    if not model.is_hybrid or not beside:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given for {model.id}, whose layers attend and keep state side by side.",
        effect="vLLM stops before loading.",
        steps=(put("--kv-cache-dtype", "fp8"),),
    )
