"""A speculative setting given both as a flag and inside --speculative-config.

## What happens
The engine refuses to start.

## Why
--spec-method, --spec-model and --spec-tokens are shorthands for keys of the JSON; with both it is not clear which is
meant.

## Versions
>=0.22

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_speculative_config (0.31.0 line 2041, 0.33.0 line 2118)

## Fix
Keep one of the two.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--spec-method", "--spec-model", "--spec-tokens", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("speculative_config")
    pairs = (
        ("--spec-method", "spec_method", "method"),
        ("--spec-model", "spec_model", "model"),
        ("--spec-tokens", "spec_tokens", "num_speculative_tokens"),
    )
    twice = [(flag, key) for flag, dest, key in pairs if ctx.arg(dest) is not None and key in config]
    if not twice:
        return None
    return Hit(
        message=" and ".join(f'{flag} repeats "{key}" of --speculative-config' for flag, key in twice) + ".",
        effect="vLLM stops before loading.",
        flags=tuple(flag for flag, _ in twice),
        steps=tuple(drop(flag) for flag, _ in twice),
    )
