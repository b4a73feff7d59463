"""The attention backend given twice.

## What happens
The engine refuses to start.

## Why
The flag is a shorthand for a key of --attention-config.

## Versions
>=0.13

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.18.0 line 1841, 0.31.0 line 2622, 0.33.0 line 2730)

## Fix
Keep one of the two.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--attention-backend", "--attention-config"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("attention_config")
    if not ctx.arg("attention_backend") or config.get("backend") is None:
        return None
    return Hit(
        message=f"--attention-backend {ctx.arg('attention_backend')} is given, and --attention-config names "
        f"{config['backend']}.",
        effect="vLLM stops before loading.",
        steps=(put("--attention-config", {key: value for key, value in config.items() if key != "backend"}),),
    )
