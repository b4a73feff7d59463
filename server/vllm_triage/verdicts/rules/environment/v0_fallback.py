"""A flag makes vLLM fall back to the V0 engine.

## What happens
The engine starts on V0 and says so in a warning; with VLLM_USE_V1=1 it refuses to start.

## Why
The V1 engine of these releases does not have every feature of V0, and the older engine is taken without asking: other
scheduler, other defaults, other metrics.

## Versions
>=0.8,<0.11

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._is_v1_supported_oracle (0.8.5, 0.9.2, 0.10.2)
- https://github.com/vllm-project/vllm/issues/18115

## Fix
Take the flag out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_FLAGS = (
    ("--preemption-mode", "preemption_mode"),
    ("--num-scheduler-steps", "num_scheduler_steps"),
    ("--scheduler-delay-factor", "scheduler_delay_factor"),
    ("--enable-prompt-adapter", "enable_prompt_adapter"),
    ("--disable-async-output-proc", "disable_async_output_proc"),
    ("--enable-prompt-embeds", "enable_prompt_embeds"),
    ("--max-num-partial-prefills", "max_num_partial_prefills"),
    ("--otlp-traces-endpoint", "otlp_traces_endpoint"),
)


@rule(
    "silent",
    flags=("--preemption-mode", "--num-scheduler-steps", "--scheduler-delay-factor", "--kv-cache-dtype"),
    needs=("gpu",),
)
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_USE_V1") == "0":
        return None
    given = [flag for flag, dest in _FLAGS if ctx.arg(dest) not in (None, False, 1, 0.0)]
    kv = ctx.arg("kv_cache_dtype", "auto")
    if kv != "auto" and ctx.need_gpu().vendor == "nvidia":
        have = ctx.need_capability()
        if have is not None and have[0] != 9:
            given.append("--kv-cache-dtype")
    if not given:
        return None
    forced = ctx.env.get("VLLM_USE_V1") == "1"
    return Hit(
        message=f"{', '.join(given)} is not supported by the V1 engine of {ctx.version}.",
        effect="vLLM stops: VLLM_USE_V1=1 forbids the fallback." if forced else "The V0 engine runs instead.",
        flags=tuple(given),
        steps=tuple(drop(flag) for flag in given),
        changed=(("engine", "V1", "V0"),),
    )
