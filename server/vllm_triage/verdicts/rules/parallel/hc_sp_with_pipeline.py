"""Hyper-connections shared over the sequence, with pipeline stages.

## What happens
The engine refuses to start.

## Why
The streams of a layer's hyper-connections would have to be handed from stage to stage.

## Versions
>=0.32

## Evidence
- vllm/config/model.py, ModelConfig.verify_with_parallel_config (0.32.0 line 1542, 0.33.0 line 1555)

## Fix
Take --enable-hc-sp or --pipeline-parallel-size out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-hc-sp", "--pipeline-parallel-size"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_hc_sp") is not True or ctx.tp <= 1 or ctx.pp == 1:
        return None
    return Hit(
        message=f"--enable-hc-sp is given with {ctx.pp} pipeline stages.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-hc-sp"),),
    )
