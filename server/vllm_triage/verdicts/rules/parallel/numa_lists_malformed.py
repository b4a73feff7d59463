"""NUMA nodes or processors that are no list of such.

## What happens
The engine refuses to start.

## Why
Nodes are numbers from 0; processors are written as numactl takes them, ranges from low to high.

## Versions
>=0.20

## Evidence
- vllm/config/parallel.py, ParallelConfig._validate_numa_bind_nodes and _validate_numa_bind_cpus (0.20.0, 0.28.0 line 427,
  0.33.0 line 490)

## Fix
Write processors as 0-3 or 0,2,4-7, one such word for each GPU.
"""

import re
from collections.abc import Iterator

from ....domain import Json
from ...context import Context
from ...rule import Hit, drop, rule

CPUS = r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*"


@rule("fatal", flags=("--numa-bind-nodes", "--numa-bind-cpus"))
def check(ctx: Context) -> Iterator[Hit]:
    for flag, dest, wrong in (
        ("--numa-bind-nodes", "numa_bind_nodes", _no_node),
        ("--numa-bind-cpus", "numa_bind_cpus", _no_cpus),
    ):
        held = ctx.arg(dest)
        bad = [str(value) for value in held if wrong(value)] if isinstance(held, list) else []
        if bad:
            yield Hit(
                message=f"{flag} holds {', '.join(bad)[:60]!r}.",
                effect="vLLM stops before loading.",
                flags=(flag,),
                steps=(drop(flag),),
            )


def _no_node(value: Json) -> bool:
    return isinstance(value, int) and value < 0


def _no_cpus(value: Json) -> bool:
    if not isinstance(value, str) or not re.fullmatch(CPUS, value, re.ASCII):
        return True
    ranges = [part.split("-") for part in value.split(",") if "-" in part]
    return any(int(low) > int(high) for low, high in ranges)
