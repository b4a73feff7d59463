"""An executor that does not exist.

## What happens
The engine refuses to start.

## Why
Beside the built-in ones only the path of a class is accepted.

## Versions
>=0.9

## Evidence
- vllm/config/parallel.py, ParallelConfig._verify_args and vllm/v1/executor/abstract.py, Executor.get_class (0.18.0,
  0.33.0)
- create_engine_config of 0.33.0 on `x`

## Fix
Leave it out, or use mp or ray.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--distributed-executor-backend",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("distributed_executor_backend")
    if not isinstance(asked, str) or asked in ("ray", "mp", "uni", "external_launcher") or "." in asked:
        return None
    return Hit(
        message=f"--distributed-executor-backend {asked} is neither ray, mp, uni, external_launcher nor the path of a "
        "class.",
        effect="vLLM stops before loading.",
        steps=(drop("--distributed-executor-backend"),),
    )
