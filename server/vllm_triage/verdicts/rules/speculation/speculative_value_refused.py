"""A value of --speculative-config that its key does not accept.

## What happens
The engine refuses to start.

## Why
Keys are held to their bounds and choices as flags are, and choices change: `medusa` and `mlp_speculator` are gone
from 0.33, `ngram_gpu` came with 0.18, `suffix` with 0.11.

## Versions
>=0.11

## Evidence
- vllm/config/speculative.py, SpeculativeConfig: choices and bounds of every field recorded for each release
- create_engine_config of 0.33.0 on `{"method":"medusa"}`, of 0.18.0 on an unknown method

## Fix
Give one of the values listed.
"""

from collections.abc import Iterator

from ....domain import Json
from ....facts.config_fields import FieldSpec, keys
from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram


def _complaint(field: FieldSpec, held: Json) -> str | None:
    if held is None or held == "[ngram]":
        return None
    if field.choices and isinstance(held, (str, int)) and held not in field.choices:
        shown = [str(choice) for choice in field.choices if not str(choice).endswith("_mtp")]  # old names of mtp
        return "this version accepts " + ", ".join(shown)
    if isinstance(held, (int, float)) and not isinstance(held, bool) and not field.allows(held):
        return f"it must be {field.range()}"
    return None


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Iterator[Hit]:
    spec = ctx.spec
    if spec is None:
        return
    known = keys("SpeculativeConfig", ctx.version)
    for key, held in spec.raw.items():
        field = known.get(key)
        complaint = None if field is None else _complaint(field, held)
        if complaint is None:
            continue
        kept = {"method": ngram(spec.tokens), "num_speculative_tokens": spec.but(num_speculative_tokens=3)}
        steps = (put("--speculative-config", kept.get(key) or spec.but(**{key: None})),)
        yield Hit(
            message=f'"{key}" is {held!r}; {complaint}.',
            effect="vLLM stops before loading.",
            steps=steps,
            fix=f'Change "{key}" ({complaint}), or: {fix_text(steps)}.',
        )
