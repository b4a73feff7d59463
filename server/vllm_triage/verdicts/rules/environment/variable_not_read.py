"""An environment variable this version does not read.

## What happens
Nothing happens: the variable is ignored.

## Why
Variables come and go between releases. VLLM_ATTENTION_BACKEND became --attention-backend (gone from 0.15),
VLLM_ALL2ALL_BACKEND became --all2all-backend (gone from 0.16), VLLM_USE_V1 has no meaning since only the V1 engine is
left (0.11.1).

## Versions
all

## Evidence
- vllm/envs.py of every release, recorded variable by variable

## Fix
Take it out, or use what replaced it.
"""

from collections.abc import Iterator

from ....facts.env import history, note
from ....facts.flags import table
from ...context import Context
from ...rule import Hit, drop_env, rule

_REPLACED = {"VLLM_ATTENTION_BACKEND": "--attention-backend", "VLLM_ALL2ALL_BACKEND": "--all2all-backend"}


@rule("silent", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    for name, value in ctx.env.items():
        found = history(name) if name.startswith("VLLM_") else None
        if found is None or found.read_by(ctx.version):
            continue
        flag = _REPLACED.get(name)
        instead = flag is not None and table(ctx.version).by_option(flag) is not None and flag
        yield Hit(
            message=f"{name}={value[:60]}: {note(name, ctx.version)}.",
            effect="The variable changes nothing.",
            flags=(instead,) if instead else (),
            steps=(drop_env(name),),
            fix=f"Unset `{name}`" + (f" and use `{instead}`." if instead else "."),
            changed=((name, value[:60], None),),
        )
