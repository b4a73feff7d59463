"""A KV cache type that only another kind of attention, or another device, reads.

## What happens
The engine stops while it builds the model: no valid attention backend is found.

## Why
`fp8_ds_mla` is the packed cache of sparse latent attention, and `fp8_inc` Intel Gaudi's. The flag takes every name on every
model and device.

## Versions
>=0.11.1

## Evidence
- supported_kv_cache_dtypes of vllm/v1/attention/backends (0.11.1 to 0.33.0): fp8_ds_mla in those of mla/ for sparse or
  compressed latents alone, fp8_inc in none; vllm/config/cache.py line 63 (0.11.1)
- https://github.com/vllm-project/vllm/issues/42587

## Fix
Give `--kv-cache-dtype fp8`, or leave it out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if asked not in ("fp8_ds_mla", "fp8_inc") or ctx.need_gpu().vendor != "nvidia":
        return None
    model = ctx.need_model()
    if asked == "fp8_ds_mla" and any(run.kind.startswith("mla_") for run in model.runs):
        return None
    whose = "sparse latent attention" if asked == "fp8_ds_mla" else "Intel Gaudi"
    return Hit(
        message=f"--kv-cache-dtype {asked} is a cache of {whose}; {model.id} on {ctx.need_gpu().name} cannot read it.",
        effect="vLLM stops: no attention backend reads this cache.",
        steps=(drop("--kv-cache-dtype"),),
    )
