"""Something makes vLLM fall back to the V0 engine.

## What happens
The engine starts on V0 and says so in a warning.

## Why
The V1 engine of these releases does not have every feature of V0, and the older engine is taken without asking: other
scheduler, other defaults, other metrics.

## Versions
>=0.8,<0.11

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._is_v1_supported_oracle (0.8.0 to 0.10.2)
- https://github.com/vllm-project/vllm/issues/18115

## Fix
Take out what V1 does not have, or set VLLM_USE_V1=0 to show that V0 is meant.
"""

from ...context import Context
from ...engines import causes_of_v0
from ...rule import Hit, drop, drop_env, rule, set_env


@rule(
    "silent",
    flags=("--preemption-mode", "--num-scheduler-steps", "--scheduler-delay-factor", "--kv-cache-dtype"),
    needs=("gpu",),
)
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_USE_V1") in ("0", "1"):  # with 1 it is refused: v1-forced tells it
        return None
    causes = list(causes_of_v0(ctx))
    if not causes and ctx.arg("kv_cache_dtype", "auto") != "auto":
        ctx.need_gpu()
    if not causes:
        return None
    flags = tuple(dict.fromkeys(cause.flag for cause in causes if cause.flag))
    names = tuple(dict.fromkeys(cause.env for cause in causes if cause.env))
    named = all(cause.flag or cause.env for cause in causes)
    return Hit(
        message=f"{', '.join(cause.what for cause in causes)} is not supported by the V1 engine of {ctx.version}.",
        effect="The V0 engine runs instead.",
        flags=flags,
        steps=(*map(drop, flags), *map(drop_env, names)) if named else (set_env("VLLM_USE_V1", "0"),),
        fix="" if named else "Set `VLLM_USE_V1=0` to show that V0 is meant, or use a newer release.",
        changed=(("engine", "V1", "V0"),),
    )
