"""Tokens dealt to context ranks in runs, with drafts.

## What happens
The worker refuses to start.

## Why
Drafts are verified several tokens at once; no attention of these releases finds them when runs of tokens lie on other ranks.

## Versions
>=0.16,<0.30

## Evidence
- vllm/v1/worker/cp_utils.py, check_attention_cp_compatibility (0.16.0 line 25, 0.28.0 line 40);
  `supports_mtp_with_cp_non_trivial_interleave_size` is False in every backend through 0.29

## Fix
Leave --cp-kv-cache-interleave-size at 1.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule(
    "fatal",
    flags=("--cp-kv-cache-interleave-size", "--dcp-kv-cache-interleave-size", "--speculative-config"),
)
def check(ctx: Context) -> Hit | None:
    size = max(ctx.whole("cp_kv_cache_interleave_size", 1), ctx.whole("dcp_kv_cache_interleave_size", 1))
    if ctx.spec is None or size <= 1 or ctx.dcp * ctx.whole("prefill_context_parallel_size", 1) <= 1:
        return None
    return Hit(
        message=f"Tokens are dealt to context ranks {size} at a time, and speculative decoding is on.",
        effect="The worker stops: no attention of this release supports the two together.",
        steps=(drop("--cp-kv-cache-interleave-size"), drop("--dcp-kv-cache-interleave-size")),
    )
