"""A KV cache dtype this version does not know.

## What happens
The engine refuses to start.

## Why
From 0.33 the parser takes any name, so that platforms can add their own; the configuration then refuses what nobody
registered.

## Versions
>=0.33

## Evidence
- vllm/config/cache.py, CacheConfig._validate_cache_dtype (0.33.0 line 470)
- create_engine_config of 0.33.0 on `--kv-cache-dtype fp8_e4m3fn`

## Fix
Use one of the names listed; fp8 is fp8_e4m3 on NVIDIA.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_KNOWN = (
    "auto",
    "float16",
    "bfloat16",
    "fp8",
    "fp8_e4m3",
    "fp8_e5m2",
    "fp8_inc",
    "fp8_ds_mla",
    "nvfp4_ds_mla",
    "turboquant_k8v4",
    "turboquant_4bit_nc",
    "turboquant_k3v4_nc",
    "turboquant_3bit_nc",
    "octave_k3v4",
    "octave_k3v3",
    "octave_k3v3_compact",
    "ultraquant_4bit",
    "int4_per_token_head",
    "int8_per_token_head",
    "fp8_per_token_head",
    "nvfp4",
    "nvfp4_4over6",
)


@rule("fatal", flags=("--kv-cache-dtype",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype")
    if not isinstance(asked, str) or asked in _KNOWN:
        return None
    return Hit(
        message=f"--kv-cache-dtype {asked} is not one of {', '.join(_KNOWN)}.",
        effect="vLLM stops before loading.",
        steps=(drop("--kv-cache-dtype"),),
        fix="`--kv-cache-dtype fp8`, or remove `--kv-cache-dtype`." if "fp8" in asked else "",
    )
