"""Sleep mode on a platform without it.

## What happens
The engine refuses to start.

## Why
Sleep mode frees device memory through the CuMem allocator, which exists for NVIDIA, from 0.12 for AMD, and for some
Intel devices.

## Versions
>=0.7

## Evidence
- vllm/config/model.py, ModelConfig.__post_init__ (0.7.0 to 0.8.4 in
  vllm/config.py: on CUDA alone; 0.18.0 line 474, 0.31.0 line 623, 0.33.0 line 668)

## Fix
Take --enable-sleep-mode out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-sleep-mode",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_sleep_mode") is not True:
        return None
    gpu = ctx.need_gpu()
    if gpu.vendor not in ("cpu", "google") and not (gpu.vendor == "amd" and not ctx.at_least(0, 12)):
        return None
    return Hit(
        message=f"--enable-sleep-mode is given on {gpu.name}.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-sleep-mode"),),
    )
