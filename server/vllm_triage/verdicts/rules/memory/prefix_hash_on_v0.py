"""SHA-256 for prefixes on V0.

## What happens
The engine refuses to start.

## Why
V0 knew Python's own hash alone.

## Versions
>=0.8.3,<0.10.2

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._set_default_args_v0 (0.8.3 line 1604 to 0.10.1 line 1576)

## Fix
Take --prefix-caching-hash-algo out.
"""

from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--prefix-caching-hash-algo",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("prefix_caching_hash_algo")
    if asked in (None, "builtin") or runs_v0(ctx) is not True or ctx.arg("enable_prefix_caching") is not True:
        return None
    return Hit(
        message=f"--prefix-caching-hash-algo {asked} is given on the V0 engine.",
        effect="vLLM stops before loading.",
        steps=(drop("--prefix-caching-hash-algo"),),
    )
