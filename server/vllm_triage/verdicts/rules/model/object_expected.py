"""A word where an object is expected.

## What happens
The engine refuses to start.

## Why
The parser takes what is no JSON object as it is; the configuration wants an object.

## Versions
all

## Evidence
- vllm/config/model.py, ModelConfig.hf_overrides and vllm/config/vllm.py, VllmConfig.additional_config (0.18.0,
  0.33.0)
- vllm/config.py, LoadConfig (0.6.6.post1 to 0.8.0), "extra_config must be a dictionary"
- create_engine_config of 0.18.0 and 0.33.0 on `x`

## Fix
Give a JSON object between single quotes, or take the flag out.
"""

import json
from collections.abc import Iterator

from ....domain import Json
from ...context import Context
from ...rule import Hit, drop, rule

_OBJECTS = (("--hf-overrides", "hf_overrides"), ("--additional-config", "additional_config"))
_EARLY = (("--model-loader-extra-config", "model_loader_extra_config"),)


def _read(value: str) -> Json:
    """The option as the early parser leaves it, a word, read as the configuration reads it."""
    try:
        read: Json = json.loads(value)
    except ValueError:
        return value
    return read


@rule("fatal", flags=("--hf-overrides", "--additional-config", "--model-loader-extra-config"))
def check(ctx: Context) -> Iterator[Hit]:
    for flag, dest in _OBJECTS if ctx.at_least(0, 11) else _EARLY:
        value = ctx.arg(dest)
        if dest == "model_loader_extra_config" and isinstance(value, str):
            value = _read(value)
        if isinstance(value, (str, list, int)) and not isinstance(value, bool):
            yield Hit(
                message=f"{flag} is {value!r}, which is no JSON object.",
                effect="vLLM stops before loading.",
                flags=(flag,),
                steps=(drop(flag),),
            )
