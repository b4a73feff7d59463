"""Graph sizes that fit both drafts and sequence parallelism do not exist.

## What happens
The worker stops when it captures graphs.

## Why
Sizes must be whole batches of drafts and split over the ranks; these releases only take the larger of the two numbers where
it is a multiple of the other.

## Versions
>=0.11.1,<0.32

## Evidence
- vllm/config/compilation.py, CompilationConfig.adjust_cudagraph_sizes_for_spec_decode (0.11.1, 0.29.0 line 1525, 0.31.0); from
  0.29 on the V1 model runner alone

## Fix
Draft one token less than a multiple of the ranks, or leave sequence parallelism off.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--compilation-config", "--speculative-config", "--tensor-parallel-size"))
def check(ctx: Context) -> Hit | None:
    spec, passes = ctx.spec, ctx.mapping("compilation_config").get("pass_config")
    if spec is None or not spec.tokens or ctx.tp <= 1 or not isinstance(passes, dict):
        return None
    if not (passes.get("enable_sp") is True or passes.get("enable_sequence_parallelism") is True):
        return None
    if ctx.at_least(0, 29) and ctx.setting("model_runner") != "v1":
        return None
    batch = spec.tokens + 1
    larger = max(batch, ctx.tp)
    if "FULL" not in str(ctx.setting("cudagraph_mode") or "") or (larger % batch == 0 and larger % ctx.tp == 0):
        return None
    return Hit(
        message=f"{spec.tokens} draft tokens make batches of {batch}, sequence parallelism splits over {ctx.tp} ranks.",
        effect="The worker stops: no graph size is a multiple of both.",
        steps=(drop("--speculative-config"),),
        fix=f"Draft {ctx.tp - 1} tokens, or leave sequence parallelism off.",
    )
