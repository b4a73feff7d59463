"""Prefill context ranks beside other ranks they do not combine with.

## What happens
The engine refuses to start.

## Why
With a prompt split over ranks, decode context ranks are off, the same ranks, or all of the tensor-parallel group's. Data
parallelism beside them came with 0.30.

## Versions
>=0.26

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.26.0, 0.28.0 line 527, 0.33.0 line 594)

## Fix
Leave --decode-context-parallel-size and, before 0.30, --data-parallel-size at 1.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule


@rule(
    "fatal", flags=("--prefill-context-parallel-size", "--decode-context-parallel-size", "--data-parallel-size")
)
def check(ctx: Context) -> Iterator[Hit]:
    ranks = ctx.whole("prefill_context_parallel_size", 1)
    if ranks <= 1:
        return
    asked = f"--prefill-context-parallel-size {ranks}"
    if ctx.dp > 1 and not ctx.at_least(0, 30):
        yield Hit(
            message=f"{asked} is given with --data-parallel-size {ctx.dp}.",
            effect="vLLM stops before loading.",
            flags=("--prefill-context-parallel-size", "--data-parallel-size"),
            steps=(drop("--prefill-context-parallel-size"),),
        )
    sizes = sorted({1, ranks, ctx.tp * ranks})
    if ctx.dcp not in sizes:
        yield Hit(
            message=f"{asked} with --tensor-parallel-size {ctx.tp} takes --decode-context-parallel-size "
            f"{' or '.join(map(str, sizes))}, not {ctx.dcp}.",
            effect="vLLM stops before loading.",
            flags=("--prefill-context-parallel-size", "--decode-context-parallel-size"),
            steps=(drop("--decode-context-parallel-size"),),
        )
