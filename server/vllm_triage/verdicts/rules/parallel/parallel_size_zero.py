"""A tensor or pipeline parallel size below one in a release that sets no bound.

## What happens
The engine fails: on a division by zero for a tensor size of zero, and otherwise because no executor is chosen for less
than one process.

## Why
Heads are divided by the tensor size. A size of zero or below makes the world size so; the executor is chosen by itself
for one process or for more, never for none, and V1 refuses to start without one. With an executor named by hand this
rule does not judge the world size. Up to 0.22 the configuration takes any number; from 0.23 a bound refuses them by
name, and from 0.11 rule value-out-of-range tells of a tensor size of zero.

## Versions
<0.23

## Evidence
- vllm/config.py, ModelConfig.verify_with_parallel_config (0.6.6.post1 line 673, 0.8.5 line 933, 0.10.0 line 1207)
- ParallelConfig.__post_init__ names an executor for a world size above one or of one (vllm/config.py 0.8.5 lines 1742
  and 1773, vllm/config/parallel.py 0.18.0 line 802, 0.22.0 line 879); vllm/v1/executor/abstract.py,
  Executor.get_class refuses any it does not know (0.8.5, 0.18.0, 0.22.0)
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
        yield _hit("--tensor-parallel-size")
    chosen = ctx.arg("distributed_executor_backend") is not None
    ranks, stages = ctx.whole("tensor_parallel_size", 1), ctx.whole("pipeline_parallel_size", 1)
    if chosen or not ctx.at_least(0, 8, 5) or ranks * stages > 0:
        return
    if stages <= 0:
        yield _hit("--pipeline-parallel-size", stages)
    if ranks < 0:
        yield _hit("--tensor-parallel-size", ranks)


def _hit(flag: str, size: int = 0) -> Hit:
    return Hit(
        message=f"{flag} is {size}; it must be at least 1.",
        effect="vLLM stops before loading.",
        flags=(flag,),
        steps=(drop(flag),),
        fix=f"Give at least 1, or remove `{flag}`.",
    )
