"""A kernel option given as a flag and inside --kernel-config.

## What happens
The engine refuses to start.

## Why
Either may say it, not both, even where they agree.

## Versions
>=0.18

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.18.0 line 1853: autotuning; 0.20.0, 0.28.0 line 2442, 0.33.0 lines
  2792 and 2815: priorities of one operation)

## Fix
Keep one of the two.
"""

from ....domain import Json
from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--enable-flashinfer-autotune", "--ir-op-priority", "--kernel-config"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("kernel_config")
    inside = config.get("ir_op_priority")
    operations = set(inside if isinstance(inside, dict) else ()) & set(ctx.mapping("ir_op_priority"))
    twice = ["enable_flashinfer_autotune"] if ctx.given("enable_flashinfer_autotune") else []
    twice = [name for name in twice if config.get(name) is not None]
    if operations:
        twice.append("ir_op_priority")
    if not twice:
        return None
    kept: dict[str, Json] = {key: value for key, value in config.items() if key not in twice}
    return Hit(
        message=f"{' and '.join(twice)} given both as a flag and inside --kernel-config.",
        effect="vLLM stops before loading.",
        steps=(put("--kernel-config", kept) if kept else drop("--kernel-config"),),
    )
