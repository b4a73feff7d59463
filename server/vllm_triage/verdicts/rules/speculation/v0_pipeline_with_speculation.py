"""Speculation with pipeline parallelism on the V0 engine.

## What happens
The worker refuses to start.

## Why
The V0 speculative worker runs draft and target in one stage.

## Versions
<0.10

## Evidence
- vllm/spec_decode/spec_decode_worker.py, create_spec_worker (0.6.6 to 0.9.2: currently incompatible with pipeline
  parallelism)
- https://github.com/vllm-project/vllm/issues/14117

## Fix
Use tensor parallelism, or run without speculation.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--pipeline-parallel-size",))
def check(ctx: Context) -> Hit | None:
    if ctx.spec is None or ctx.pp <= 1:
        return None
    return Hit(
        message=f"Speculation is combined with pipeline parallel size {ctx.pp}.",
        effect="The worker stops: speculative decoding is incompatible with pipeline parallelism.",
        steps=(drop("--pipeline-parallel-size"),),
        fix="Split the model with `--tensor-parallel-size` instead; remove `--pipeline-parallel-size`.",
    )
