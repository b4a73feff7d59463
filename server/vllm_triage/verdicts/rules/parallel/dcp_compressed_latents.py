"""Decode context parallelism of a model that compresses its latents.

## What happens
The workers stop while they set up attention.

## Why
DeepSeek-V4 keeps one compressed latent for several tokens; its indexer did not split those over ranks until 0.32.

## Versions
>=0.25,<0.32

## Evidence
- vllm/v1/attention/backends/mla/indexer.py, DeepseekV32IndexerMetadataBuilder.__init__ (0.25.0, 0.28.0 line 621, 0.31.0):
  DCP with KV compression

## Fix
Take --decode-context-parallel-size out, or upgrade.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--decode-context-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.dcp <= 1:
        return None
    model = ctx.need_model()
    if not any(run.kind == "mla_compressed" for run in model.runs):
        return None
    return Hit(
        message=f"--decode-context-parallel-size {ctx.dcp} is given for {model.id}, whose latents are compressed.",
        effect="The workers stop while they set up attention.",
        steps=(drop("--decode-context-parallel-size"),),
    )
