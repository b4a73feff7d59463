"""A graph of the whole model that is also split.

## What happens
The engine refuses to start.

## Why
full_cuda_graph captures the model in one piece; splitting_ops says where to cut it.

## Versions
>=0.9,<0.10.1

## Evidence
- vllm/config.py, CompilationConfig.set_splitting_ops_for_v1 (0.9.0 line 4028, 0.10.0 line 4319)

## Fix
Take splitting_ops out.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--compilation-config",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("compilation_config")
    if config.get("full_cuda_graph") is not True or not config.get("splitting_ops"):
        return None
    kept = {key: value for key, value in config.items() if key != "splitting_ops"}
    return Hit(
        message='--compilation-config sets "full_cuda_graph" and "splitting_ops".',
        effect="vLLM stops before loading.",
        steps=(put("--compilation-config", kept),),
    )
