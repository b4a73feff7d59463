"""Expert load balancing with a single rank.

## What happens
The engine refuses to start.

## Why
There is no second rank to move experts to.

## Versions
>=0.10

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.18.0 line 397, 0.31.0 line 549, 0.33.0 line
  579)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Take --enable-eplb out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-eplb", "--tensor-parallel-size", "--data-parallel-size"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_eplb") is not True or ctx.arg("enable_expert_parallel") is not True:
        return None
    if ctx.tp * ctx.dp * ctx.whole("prefill_context_parallel_size", 1) > 1:
        return None
    return Hit(
        message="--enable-eplb is given with tensor and data parallel size 1.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-eplb"),),
    )
