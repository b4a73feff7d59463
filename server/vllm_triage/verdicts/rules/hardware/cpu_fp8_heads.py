"""An FP8 KV cache on a CPU with heads its kernels do not take.

## What happens
The worker refuses to start.

## Why
The CPU kernels unpack 32 values at a time.

## Versions
>=0.21

## Evidence
- vllm/v1/attention/backends/cpu_attn.py, CPUAttentionBackendImpl.__init__ (0.21.0, 0.28.0, 0.33.0): head_size divisible by 32

## Fix
Leave --kv-cache-dtype out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if asked not in ("fp8", "fp8_e4m3", "fp8_e5m2") or ctx.need_gpu().vendor != "cpu":
        return None
    model = ctx.need_model()
    if model.uses_mla or not model.head_dim or model.head_dim % 32 == 0:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is given for {model.id} on a CPU, with heads of {model.head_dim}.",
        effect="The worker stops while it sets up attention.",
        steps=(drop("--kv-cache-dtype"),),
    )
