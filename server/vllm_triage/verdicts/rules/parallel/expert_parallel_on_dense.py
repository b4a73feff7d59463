"""Expert parallelism on a model without experts.

## What happens
The engine refuses to start.

## Why
There are no experts to spread.

## Versions
>=0.8

## Evidence
- vllm/config.py, ModelConfig._verify_with_expert_parallelism (0.8.0)
- vllm/config/model.py, ModelConfig._verify_with_expert_parallelism (0.18.0 line 1020, 0.31.0 line 1453, 0.33.0 line
  1500)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Take --enable-expert-parallel out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-expert-parallel",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_expert_parallel") is not True:
        return None
    model = ctx.need_model()
    if model.moe is not None:
        return None
    balanced = (drop("--enable-eplb"),) if ctx.arg("enable_eplb") is True else ()
    return Hit(
        message=f"{model.id} has no experts, so --enable-expert-parallel has nothing to spread.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-expert-parallel"), *balanced),
    )
