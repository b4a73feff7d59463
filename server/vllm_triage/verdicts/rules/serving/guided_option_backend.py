"""An option of guided decoding that its backend does not have.

## What happens
The engine refuses to start.

## Why
Only some backends can forbid white space or further properties of a JSON object.

## Versions
>=0.8,<0.12

## Evidence
- vllm/config.py, DecodingConfig.__post_init__ (0.9.0 lines 3381 to 3388, 0.10.0); vllm/config/structured_outputs.py
  (0.11.0); "Invalid guided_decoding_backend" of 0.8.0 and 0.8.1, whose parser took any word

## Fix
Name a backend that has it, or leave the option out.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule

_BACKEND = "--guided-decoding-backend"
_OPTIONS = (
    ("--guided-decoding-disable-any-whitespace", "guided_decoding_disable_any_whitespace", ("xgrammar", "guidance")),
    (
        "--guided-decoding-disable-additional-properties",
        "guided_decoding_disable_additional_properties",
        ("guidance",),
    ),
)
_KNOWN = ("outlines", "lm-format-enforcer", "xgrammar")


@rule("fatal", flags=(_BACKEND, *(flag for flag, _, _ in _OPTIONS)))
def check(ctx: Context) -> Iterator[Hit]:
    backend = str(ctx.arg("guided_decoding_backend", "auto" if ctx.at_least(0, 8, 3) else "xgrammar"))
    stops = "vLLM stops before loading."
    if not ctx.at_least(0, 8, 2) and backend.split(":", maxsplit=1)[0] not in _KNOWN:
        yield Hit(message=f"{_BACKEND} is {backend}; this version has {', '.join(_KNOWN)}.", effect=stops,
                  flags=(_BACKEND,), steps=(drop(_BACKEND),))  # fmt: skip
    for flag, dest, takes in _OPTIONS:
        if not ctx.at_least(0, 9) or ctx.arg(dest) is not True or backend in takes:
            continue
        yield Hit(
            message=f"{flag} is given with the {backend} backend; {' and '.join(takes)} alone {'have' if len(takes) > 1 else 'has'} it.",
            effect=stops,
            flags=(flag,),
            steps=(drop(flag),),
        )
