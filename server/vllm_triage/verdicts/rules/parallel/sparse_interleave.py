"""Tokens of sparse attention dealt to context ranks in runs.

## What happens
The workers stop while they set up attention.

## Why
The sparse indexer finds tokens that are dealt one by one; runs of them were not validated and are refused.

## Versions
>=0.25,<0.30

## Evidence
- vllm/v1/attention/backends/mla/indexer.py, DeepseekV32IndexerMetadataBuilder.__init__ (0.25.0, 0.28.0 line 539, 0.29.0)

## Fix
Leave --cp-kv-cache-interleave-size at 1.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--cp-kv-cache-interleave-size", "--dcp-kv-cache-interleave-size"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    size = max(ctx.whole("cp_kv_cache_interleave_size", 1), ctx.whole("dcp_kv_cache_interleave_size", 1))
    if size <= 1 or ctx.dcp <= 1:
        return None
    model = ctx.need_model()
    if not any(run.kind in ("mla_sparse", "mla_compressed") for run in model.runs):
        return None
    return Hit(
        message=f"Tokens are dealt to context ranks {size} at a time, and {model.id} attends sparsely.",
        effect="The workers stop while they set up attention.",
        steps=(drop("--cp-kv-cache-interleave-size"), drop("--dcp-kv-cache-interleave-size")),
    )
