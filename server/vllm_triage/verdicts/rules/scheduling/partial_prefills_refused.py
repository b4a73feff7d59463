"""More than one concurrent partial prefill.

## What happens
The engine refuses to start.

## Why
The V1 scheduler never implemented it; the flags stayed until 0.26 and were removed in 0.27.

## Versions
>=0.11,<0.27

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._check_feature_supported (0.18.0 line 1959)
- create_engine_config of 0.18.0 and 0.23.0 on `--max-num-partial-prefills 2`

## Fix
Take both flags out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--max-num-partial-prefills", "--max-long-partial-prefills"))
def check(ctx: Context) -> Hit | None:
    given = [
        (flag, ctx.args[dest])
        for flag, dest in (
            ("--max-num-partial-prefills", "max_num_partial_prefills"),
            ("--max-long-partial-prefills", "max_long_partial_prefills"),
        )
        if ctx.args.get(dest, 1) != 1
    ]
    if not given:
        return None
    return Hit(
        message=" and ".join(f"{flag} {value}" for flag, value in given) + ": concurrent partial prefill is not "
        "supported.",
        effect="vLLM stops before loading.",
        flags=tuple(flag for flag, _ in given),
        steps=tuple(drop(flag) for flag, _ in given),
    )
