"""Prefix caching of recurrent models before it existed.

## What happens
The worker refuses to start.

## Why
State caching came with 0.11.1.

## Versions
>=0.9.2,<0.11.1

## Evidence
- vllm/v1/worker/gpu_model_runner.py (0.9.2 to 0.11.0: prefix caching is not supported for Mamba yet)
- https://github.com/vllm-project/vllm/pull/25752

## Fix
Take --enable-prefix-caching out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-prefix-caching",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_prefix_caching") is not True:
        return None
    model = ctx.need_model()
    if not any(run.kind in ("mamba", "linear") for run in model.runs):
        return None
    return Hit(
        message=f"{model.id} keeps recurrent state, which vLLM {ctx.version} cannot cache by prefix.",
        effect="The worker stops while it builds the KV cache.",
        steps=(drop("--enable-prefix-caching"),),
    )
