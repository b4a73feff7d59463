"""The chunk of offloading said in tokens and in blocks.

## What happens
The engine refuses to start.

## Why
Both say how much is moved at once.

## Versions
>=0.26

## Evidence
- vllm/distributed/kv_transfer/kv_connector/v1/offloading/config.py, build_offloading_config (0.26.0 line 63, 0.33.0 line
  125)

## Fix
Keep one of block_size and blocks_per_chunk in kv_connector_extra_config.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--kv-transfer-config",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("kv_transfer_config")
    extra = config.get("kv_connector_extra_config")
    if config.get("kv_connector") != "OffloadingConnector" or not isinstance(extra, dict):
        return None
    if extra.get("block_size") is None or extra.get("blocks_per_chunk") is None:
        return None
    kept = {key: held for key, held in extra.items() if key != "block_size"}
    return Hit(
        message="kv_connector_extra_config holds both block_size and blocks_per_chunk.",
        effect="vLLM stops when it sets up offloading.",
        steps=(put("--kv-transfer-config", {**config, "kv_connector_extra_config": kept}),),
    )
