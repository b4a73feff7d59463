"""Expert load balancing without expert parallelism.

## What happens
The engine refuses to start.

## Why
The balancer moves experts between ranks, which only exist with --enable-expert-parallel.

## Versions
>=0.10

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.18.0 line 395, 0.31.0 line 540, 0.33.0 line
  570)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Take --enable-eplb out, or add --enable-expert-parallel on a mixture-of-experts model.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_WITH_IT = (("--eplb-config", "eplb_config"), ("--enable-elastic-ep", "enable_elastic_ep"))
"""Flags that mean nothing, or are refused, without the balancer."""


@rule("fatal", flags=("--enable-eplb", "--enable-expert-parallel"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_eplb") is not True or ctx.arg("enable_expert_parallel") is True:
        return None
    return Hit(
        message="--enable-eplb is given without --enable-expert-parallel.",
        effect="vLLM stops before loading.",
        steps=(
            drop("--enable-eplb"),
            *(drop(flag) for flag, dest in _WITH_IT if ctx.given(dest)),
        ),
        fix="Remove `--enable-eplb`, or add `--enable-expert-parallel` if the model has experts and more than one GPU.",
    )
