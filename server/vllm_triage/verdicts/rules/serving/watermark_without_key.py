"""A watermark without its key.

## What happens
The engine refuses to start.

## Why
The key is the one field of the object that has no default.

## Versions
>=0.30

## Evidence
- vllm/config/watermarking.py, WatermarkConfig.key (0.30.0 line 28, 0.33.0 line 27)
- create_engine_config of 0.31.0 to 0.33.0 on `{}`

## Fix
Give the key, a whole number that is kept secret.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--watermark-config",))
def check(ctx: Context) -> Hit | None:
    config = ctx.arg("watermark_config")
    if not isinstance(config, dict) or config.get("key") is not None:
        return None
    return Hit(
        message='--watermark-config has no "key".',
        effect="vLLM stops before loading.",
        steps=(drop("--watermark-config"),),
        fix='Give "key" a secret whole number, or remove `--watermark-config`.',
    )
