"""Adaptive verification without full CUDA graphs.

## What happens
The engine refuses to start.

## Why
The draft budget is divided by step costs profiled from captured graphs; from 0.30 the graphs must be full ones.

## Versions
>=0.28

## Evidence
- vllm/config/vllm.py, VllmConfig._get_v2_model_runner_unsupported_features (0.28.0 line 2369)
- vllm/config/vllm.py, VllmConfig._validate_adaptive_verification (0.29.0 line 2646, 0.31.0 line 3164, 0.33.0 line 3166)

## Fix
Take --enforce-eager or the lower cudagraph_mode out, or enable_adaptive_verification.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config", "--enforce-eager"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.raw.get("enable_adaptive_verification") is not True:
        return None
    mode = ctx.mapping("compilation_config").get("cudagraph_mode")
    eager = ctx.arg("enforce_eager") is True
    lacking = ("NONE", "PIECEWISE") if ctx.at_least(0, 30) else ("NONE",)
    if not eager and str(mode or "").upper() not in lacking:
        return None
    return Hit(
        message="enable_adaptive_verification is true with "
        f"{'--enforce-eager' if eager else f'cudagraph_mode {mode}'}.",
        effect="vLLM stops before loading: adaptive verification needs full CUDA graphs.",
        steps=(put("--speculative-config", spec.but(enable_adaptive_verification=None)),),
    )
