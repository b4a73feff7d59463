"""Speculation with pipeline parallelism.

## What happens
The configuration is accepted; releases up to 0.29 are reported to fail at run time or to give wrong output.

## Why
Drafted tokens must reach every stage in the same step. With async scheduling the shapes disagree; without it, wrong
output has been seen.

## Versions
>=0.14

## Evidence
- https://github.com/vllm-project/vllm/issues/49355
- https://github.com/vllm-project/vllm/issues/52071
- docs/features/speculative_decoding (not composable through 0.15)
- no check in vllm/config of any release

## Fix
Use tensor parallelism for a model with speculation, or run pipeline stages without it.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--async-scheduling", "--pipeline-parallel-size", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    if ctx.spec is None or ctx.pp <= 1:
        return None
    return Hit(
        message=f"{ctx.spec.method} speculation is combined with pipeline parallel size {ctx.pp}.",
        effect="Accepted at start-up; public reports tell of worker errors and of wrong output.",
        steps=(drop("--pipeline-parallel-size"),),
        fix="Split the model with `--tensor-parallel-size` instead of `--pipeline-parallel-size`, or drop speculation.",
    )
