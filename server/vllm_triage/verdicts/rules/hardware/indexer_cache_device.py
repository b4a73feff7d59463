"""An MXFP4 index cache of sparse attention on a device that does not read it.

## What happens
The workers stop while they set up attention.

## Why
The indexer's 4-bit kernels are for data-centre Blackwell.

## Versions
>=0.20

## Evidence
- vllm/v1/attention/backends/mla/indexer.py, the check of compute capability 10.x (0.20.0, 0.28.0, 0.33.0)

## Fix
Leave indexer_kv_dtype at auto.
"""

from ....domain import Json
from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--attention-config",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("attention_config")
    four = config.get("indexer_kv_dtype") == "mxfp4" or config.get("use_fp4_indexer_cache") is True
    if not four or not any(run.kind in ("mla_sparse", "mla_compressed") for run in ctx.need_model().runs):
        return None
    have = ctx.need_capability()
    if have is None or have[0] == 10:
        return None
    keys = ("indexer_kv_dtype", "use_fp4_indexer_cache")
    kept: dict[str, Json] = {key: held for key, held in config.items() if key not in keys}
    return Hit(
        message=f"The index cache is to be MXFP4; {ctx.need_gpu().name} has compute capability {have[0]}.{have[1]}.",
        effect="The workers stop while they set up attention.",
        steps=(put("--attention-config", kept) if kept else drop("--attention-config"),),
    )
