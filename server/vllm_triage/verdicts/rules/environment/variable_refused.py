"""An environment variable with a value vLLM cannot read.

## What happens
The process stops with a ValueError when it first reads the variable.

## Why
Most switches are read as whole numbers, so `true` is an error, and some variables list what they accept.

## Versions
all

## Evidence
- vllm/envs.py of every release: how each variable is read, recorded

## Fix
Use 1 and 0 for switches.
"""

from collections.abc import Iterator

from ....facts.env_values import refuses
from ...context import Context
from ...rule import Hit, drop_env, rule, set_env


@rule("fatal", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    for name, value in ctx.env.items():
        why = refuses(name, value, ctx.version) if name.startswith("VLLM_") else ""
        if not why:
            continue
        switch = {"true": "1", "yes": "1", "on": "1", "false": "0", "no": "0", "off": "0"}.get(value.lower())
        yield Hit(
            message=f"{name}={value[:60]}: {why}.",
            effect="vLLM stops with a ValueError.",
            steps=(set_env(name, switch) if switch else drop_env(name),),
        )
