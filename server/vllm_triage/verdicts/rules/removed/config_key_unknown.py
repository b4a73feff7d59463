"""A key of a JSON configuration that this version does not know.

## What happens
The engine refuses to start.

## Why
Most such flags are checked by the parser; the others take any object, and the configuration class then forbids what
it does not know.

## Versions
>=0.10

## Evidence
- vllm/config/*.py: the fields of every configuration class recorded for each release
- create_engine_config of 0.33.0 on an unknown key of --diffusion-config

## Fix
Take the key out, or spell it as this version does.
"""

from collections.abc import Iterator

from ....domain import Json
from ....facts.config_fields import field_of, keys
from ...context import Context
from ...rule import Hit, drop, put, rule

_OPEN = frozenset({"SupportsHash", "KVTransferConfig", "QuantizationConfigArgs"})
"""Objects in which a plugin may read keys of its own."""


@rule("fatal", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    for flag, value in ctx.objects():
        field = field_of(flag, ctx.version)
        if field is None or field.config is None or flag == "--speculative-config":
            continue
        known = keys(field.config, ctx.version)
        strange = [key for key in value if key.replace("-", "_") not in known]
        if not known or not strange or field.config in _OPEN:
            continue
        kept: dict[str, Json] = {key: held for key, held in value.items() if key not in strange}
        named = ", ".join(f'"{key}"' for key in strange)
        yield Hit(
            message=f"{flag} holds {named}, which {field.config} of {ctx.version} does not know.",
            effect="vLLM stops before loading.",
            flags=(flag,),
            steps=(put(flag, kept),) if kept else (drop(flag),),
        )
