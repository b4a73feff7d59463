"""Dynamic draft length with data parallelism.

## What happens
The engine starts with a fixed draft length and one warning.

## Why
Ranks could choose different lengths and deadlock in a collective.

## Versions
>=0.26

## Evidence
- vllm/config/vllm.py, VllmConfig._maybe_disable_dynamic_sd_for_data_parallel (0.31.0 line 1092, 0.33.0 line 1119)

## Fix
Take num_speculative_tokens_per_batch_size out.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--speculative-config", "--data-parallel-size"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or ctx.dp <= 1 or spec.raw.get("num_speculative_tokens_per_batch_size") is None:
        return None
    asked = spec.raw["num_speculative_tokens_per_batch_size"]
    return Hit(
        message=f"num_speculative_tokens_per_batch_size is given with data parallel size {ctx.dp}.",
        effect=f"Every batch drafts {spec.tokens} tokens.",
        steps=(put("--speculative-config", spec.but(num_speculative_tokens_per_batch_size=None)),),
        changed=(("num_speculative_tokens_per_batch_size", asked, None),),
    )
