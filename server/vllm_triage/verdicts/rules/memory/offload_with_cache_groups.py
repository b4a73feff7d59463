"""Weights offloaded to the CPU for a model with several kinds of cache.

## What happens
The engine stops after loading the weights.

## Why
Each kind of cache has blocks of its own, so the input batch is built again; that was not allowed while weights are
offloaded.

## Versions
>=0.9.1,<0.20

## Evidence
- vllm/v1/worker/gpu_model_runner.py, GPUModelRunner.may_reinitialize_input_batch (0.9.1 line 2116, 0.17.0 line 5772,
  0.19.1)
- https://github.com/vllm-project/vllm/issues/36279

## Fix
Take --cpu-offload-gb out, or, for layers with a window, give --disable-hybrid-kv-cache-manager.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--cpu-offload-gb",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    offloaded = ctx.arg("cpu_offload_gb")
    if not isinstance(offloaded, (int, float)) or offloaded <= 0:
        return None
    model = ctx.need_model()
    if len({run.kind for run in model.runs}) < 2:
        return None
    if not model.is_hybrid and ctx.setting("disable_hybrid_kv_cache_manager") is not False:
        return None
    return Hit(
        message=f"--cpu-offload-gb {offloaded:g} is given for {model.id}, whose layers keep several kinds of cache.",
        effect="vLLM stops once the weights are loaded: it cannot re-initialize the input batch.",
        steps=(drop("--cpu-offload-gb"),),
    )
