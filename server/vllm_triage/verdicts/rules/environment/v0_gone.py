"""The V0 engine asked for in the release that no longer has it.

## What happens
The engine refuses to start.

## Why
0.11.0 still reads VLLM_USE_V1 but has one engine, which stops when it is switched off. From 0.11.1 the variable is not read.

## Versions
>=0.11,<0.11.1

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.11.0 line 1150); vllm/v1/engine/async_llm.py line 89 and
  llm_engine.py line 59 (0.11.0); vllm/platforms/rocm.py line 256 (0.11.0)

## Fix
Take VLLM_USE_V1=0 out.
"""

from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("fatal", flags=())
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_USE_V1") != "0":
        return None
    return Hit(
        message=f"VLLM_USE_V1=0 asks for the V0 engine, which vLLM {ctx.version} no longer has.",
        effect="vLLM stops before loading: only the V1 engine is left.",
        steps=(drop_env("VLLM_USE_V1"),),
    )
