"""The context-parallel interleave does not divide the block.

## What happens
The engine refuses to start.

## Why
Tokens are dealt to ranks in runs of the interleave size within a block.

## Versions
>=0.12

## Evidence
- vllm/config/vllm.py, VllmConfig.validate_block_size (0.18.0 line 1653, 0.31.0 line 3397, 0.33.0 line 3405)

## Fix
Use an interleave that divides the block size; 1 always does.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--cp-kv-cache-interleave-size", "--dcp-kv-cache-interleave-size", "--block-size"))
def check(ctx: Context) -> Hit | None:
    flag = "--cp-kv-cache-interleave-size"
    size = ctx.whole("cp_kv_cache_interleave_size")
    if ctx.whole("dcp_kv_cache_interleave_size") > 1:  # the older name outranks the newer
        flag, size = "--dcp-kv-cache-interleave-size", ctx.whole("dcp_kv_cache_interleave_size")
    if ctx.dcp <= 1 or size <= 1 or ctx.mapping("kv_transfer_config").get("kv_connector") == "NixlConnector":
        return None
    block = ctx.number("block_size")
    if block is None or block <= 0 or block % size == 0:
        return None
    return Hit(
        message=f"{flag} {size} does not divide the block size {block}.",
        effect="vLLM stops before loading.",
        steps=(drop("--cp-kv-cache-interleave-size"), drop("--dcp-kv-cache-interleave-size")),
        flags=(flag, "--block-size"),
    )
