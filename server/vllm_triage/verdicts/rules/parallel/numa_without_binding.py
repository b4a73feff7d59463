"""NUMA nodes or CPUs without NUMA binding.

## What happens
The engine refuses to start.

## Why
The lists say where to bind, --numa-bind whether to.

## Versions
>=0.20

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_parallel_config (0.31.0, 0.33.0)

## Fix
Add --numa-bind.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--numa-bind-nodes", "--numa-bind-cpus", "--numa-bind"))
def check(ctx: Context) -> Hit | None:
    lists = [
        flag
        for flag, dest in (("--numa-bind-nodes", "numa_bind_nodes"), ("--numa-bind-cpus", "numa_bind_cpus"))
        if ctx.arg(dest) is not None
    ]
    if not lists or ctx.arg("numa_bind") is True:
        return None
    return Hit(
        message=f"{' and '.join(lists)} given without --numa-bind.",
        effect="vLLM stops before loading.",
        steps=(put("--numa-bind", True),),
    )
