"""An environment variable no release reads.

## What happens
Nothing happens: the variable is ignored; newer releases warn.

## Why
A misspelt variable is not an error.

## Versions
all

## Evidence
- vllm/envs.py of every release, recorded variable by variable; vllm/platforms/interface.py (0.33.0 line 1466)

## Fix
Spell it as vLLM does.
"""

from collections.abc import Iterator

from ....facts.env import history, note
from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("silent", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    for name, value in ctx.env.items():
        if not name.startswith("VLLM_") or history(name) is not None or name.startswith("VLLM_PLUGIN"):
            continue
        yield Hit(
            message=f"{name}={value[:60]}: {note(name, ctx.version)}.",
            effect="The variable changes nothing.",
            steps=(drop_env(name),),
            changed=((name, value[:60], None),),
        )
