"""Sleep mode, or its allocator, on a platform without it.

## What happens
The engine refuses to start.

## Why
Sleep mode frees device memory through the CuMem allocator, which exists for NVIDIA, from 0.11.1 for AMD, and for some
Intel devices.

## Versions
>=0.7

## Evidence
- vllm/config/model.py, ModelConfig.__post_init__ (0.7.0 to 0.8.4 in
  vllm/config.py: on CUDA alone; 0.18.0 line 474, 0.31.0 line 623, 0.33.0 line 668)
- vllm/platforms/interface.py, is_sleep_mode_available (0.11.1: ROCm too)

## Fix
Take --enable-sleep-mode or --enable-cumem-allocator out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

FLAGS = {"enable_sleep_mode": "--enable-sleep-mode", "enable_cumem_allocator": "--enable-cumem-allocator"}


@rule("fatal", flags=tuple(FLAGS.values()), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    asked = [flag for dest, flag in FLAGS.items() if ctx.arg(dest) is True]
    if not asked:
        return None
    gpu = ctx.need_gpu()
    if gpu.vendor not in ("cpu", "google") and not (gpu.vendor == "amd" and not ctx.at_least(0, 11, 1)):
        return None
    return Hit(
        message=f"{' and '.join(asked)} given on {gpu.name}.",
        effect="vLLM stops before loading.",
        flags=tuple(asked),
        steps=tuple(map(drop, asked)),
    )
