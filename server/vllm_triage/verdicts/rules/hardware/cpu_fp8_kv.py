"""FP8 KV cache with chunked prefill or prefix caching on CPU.

## What happens
The engine refuses to start.

## Why
The CPU kernels of these releases read an FP8 cache in neither path.

## Versions
>=0.9,<0.20

## Evidence
- vllm/platforms/cpu.py, CpuPlatform.check_and_update_config (0.18.0 line 181)

## Fix
Leave --kv-cache-dtype out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if asked not in ("fp8", "fp8_e4m3", "fp8_e5m2"):
        return None
    gpu = ctx.need_gpu()
    if gpu.vendor != "cpu":
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given on a CPU, where chunked prefill or prefix caching is on.",
        effect="vLLM stops before loading.",
        steps=(drop("--kv-cache-dtype"),),
    )
