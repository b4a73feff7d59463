"""Adaptive verification with pipeline parallelism.

## What happens
The engine refuses to start.

## Why
Only the last stage knows the confidences that trim the batch.

## Versions
>=0.28

## Evidence
- vllm/config/vllm.py, VllmConfig._get_v2_model_runner_unsupported_features (0.28.0 line 2369)
- vllm/config/vllm.py, VllmConfig._validate_adaptive_verification (0.29.0 line 2646, 0.31.0 line 3175, 0.33.0 line 3177)

## Fix
Take enable_adaptive_verification out.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config", "--pipeline-parallel-size"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.raw.get("enable_adaptive_verification") is not True or ctx.pp <= 1:
        return None
    return Hit(
        message=f"enable_adaptive_verification is true with pipeline parallel size {ctx.pp}.",
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(enable_adaptive_verification=None)),),
    )
