"""Custom logits processors with speculation.

## What happens
The worker refuses to start.

## Why
A custom processor sees one token per sequence; verification scores several.

## Versions
>=0.11

## Evidence
- vllm/v1/sample/logits_processor/__init__.py, build_logitsprocs (0.18.0 line 203, 0.31.0 and 0.33.0 line 210)

## Fix
Take --logits-processors out, or run without speculation.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--logits-processors", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    if ctx.spec is None or not ctx.arg("logits_processors"):
        return None
    return Hit(
        message="--logits-processors is given with speculative decoding.",
        effect="The worker stops: custom logits processors are not supported with speculation.",
        steps=(drop("--logits-processors"),),
    )
