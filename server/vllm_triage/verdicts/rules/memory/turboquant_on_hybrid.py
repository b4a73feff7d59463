"""TurboQuant KV cache on a model whose attention layers it cannot tell apart.

## What happens
The engine refuses to start.

## Why
It keeps the first and last full-attention layers in the native type, and must find them in the model's config. 0.20 knew
no model with recurrent states. Later releases look for layers named as attention; where every layer attends and keeps
state side by side, Transformers 5 names them otherwise, which 0.24 requires. Version 4 does not, and 0.21 to 0.23 take
either, so nothing is said of those.

## Versions
>=0.20

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.20.0 line 1676)
- vllm/model_executor/layers/quantization/turboquant/config.py, _get_full_attention_layer_indices (0.21.0 line 229, 0.33.0
  line 236); METADATA of 0.23.0 and 0.24.0 (transformers>=5.5.3); FalconH1Config of Transformers 4.57.6 and 5.19
- create_engine_config of 0.23.0 (with Transformers 4.57.6) and of 0.31.0 to 0.33.0 on Falcon-H1

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
    if not model.is_hybrid:
        return None
    beside = any(run.beside for run in model.runs)
    if ctx.at_least(0, 21) and not (beside and ctx.at_least(0, 24)):
        return None
    kept = "attend and keep state side by side" if beside else "attend or keep a state"
    return Hit(
        message=f"--kv-cache-dtype {asked} is given for {model.id}, whose layers {kept}.",
        effect="vLLM stops before loading.",
        steps=(put("--kv-cache-dtype", "fp8"),),
    )
