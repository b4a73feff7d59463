"""Pipeline parallelism of a model without support.

## What happens
The engine refuses to start.

## Why
A model's class must know how to run a part of its layers.

## Versions
>=0.6.6

## Evidence
- vllm/config/model.py, ModelConfig.verify_with_parallel_config (0.18.0 line 1085, 0.31.0 line 1518, 0.33.0 line
  1573); the classes with SupportsPP recorded for each release
- https://github.com/vllm-project/vllm/issues/52761

## Fix
Use tensor parallelism.
"""

from ....facts.architectures import implements
from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--pipeline-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.pp <= 1:
        return None
    model = ctx.need_model()
    if model.architecture is None or implements(model.architecture, ctx.version, "pipeline") is not False:
        return None
    return Hit(
        message=f"{model.architecture} does not support pipeline parallelism in vLLM {ctx.version}.",
        effect="vLLM stops before loading.",
        steps=(drop("--pipeline-parallel-size"),),
        fix="Split the model with `--tensor-parallel-size` instead; remove `--pipeline-parallel-size`.",
    )
