"""A word where an object is expected.

## What happens
The engine refuses to start.

## Why
The parser takes what is no JSON as a word; the configuration wants an object.

## Versions
>=0.11

## Evidence
- vllm/config/model.py, ModelConfig.hf_overrides and vllm/config/vllm.py, VllmConfig.additional_config (0.18.0,
  0.33.0)
- create_engine_config of 0.18.0 and 0.33.0 on `x`

## Fix
Give a JSON object between single quotes, or take the flag out.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--hf-overrides", "--additional-config"))
def check(ctx: Context) -> Iterator[Hit]:
    for flag, dest in (("--hf-overrides", "hf_overrides"), ("--additional-config", "additional_config")):
        value = ctx.arg(dest)
        if isinstance(value, str):
            yield Hit(
                message=f"{flag} is {value!r}, which is no JSON object.",
                effect="vLLM stops before loading.",
                flags=(flag,),
                steps=(drop(flag),),
            )
