"""A tensor or pipeline parallel size of zero in a release that sets no bound.

## What happens
The engine fails with a division by zero: for the tensor size while it builds its configuration, for the pipeline size
when a worker works out which layers are its own.

## Why
Heads are divided by the tensor size and layers by the pipeline size. Up to 0.22 the configuration takes any number;
from 0.23 a bound refuses zero by name, and from 0.11 rule value-out-of-range tells of a tensor size of zero.

## Versions
<0.23

## Evidence
- vllm/config.py, ModelConfig.verify_with_parallel_config (0.6.6.post1 line 673, 0.8.5 line 933, 0.10.0 line 1207)
- vllm/distributed/utils.py, get_pp_indices: hidden layers divided by the pipeline size (0.6.6.post1, 0.8.5, 0.18.0,
  0.22.0)
- vllm/config/parallel.py, ParallelConfig: `ge=1` on both sizes in 0.23.0 and 0.33.0, none in 0.12.0 and 0.18.0

## Fix
Leave the flag out: one is the default.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule

_TOLD_ELSEWHERE = (0, 11)
"""From here on value-out-of-range tells of a tensor size of zero."""


@rule("fatal", flags=("--tensor-parallel-size", "--pipeline-parallel-size"))
def check(ctx: Context) -> Iterator[Hit]:
    if ctx.arg("tensor_parallel_size") == 0 and not ctx.at_least(*_TOLD_ELSEWHERE):
        yield _hit("--tensor-parallel-size", "vLLM stops before loading.")
    if ctx.arg("pipeline_parallel_size") == 0:
        yield _hit("--pipeline-parallel-size", "The workers stop before the weights are read.")


def _hit(flag: str, effect: str) -> Hit:
    return Hit(
        message=f"{flag} is 0; it must be at least 1.",
        effect=effect,
        flags=(flag,),
        steps=(drop(flag),),
        fix=f"Give at least 1, or remove `{flag}`.",
    )
