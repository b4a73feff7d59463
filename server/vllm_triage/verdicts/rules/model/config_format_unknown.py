"""A configuration format that does not exist.

## What happens
The engine refuses to start.

## Why
The parser takes any word, so that plugins can add formats.

## Versions
>=0.10.2

## Evidence
- vllm/transformers_utils/config.py, get_config_parser (0.18.0 line 304, 0.33.0 line 543)
- create_engine_config of 0.18.0 and 0.33.0 on `x`

## Fix
Leave it out, or use auto, hf or mistral.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--config-format",), needs=("plugins",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("config_format")
    if not isinstance(asked, str) or asked in ("auto", "hf", "mistral"):
        return None
    ctx.need_own_names()
    return Hit(
        message=f"--config-format {asked} is neither auto, hf nor mistral.",
        effect="vLLM stops before loading, unless a plugin adds that format.",
        steps=(drop("--config-format"),),
    )
