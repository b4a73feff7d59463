"""Fast prefill of shared KV with EAGLE or MTP.

## What happens
The engine refuses to start.

## Why
EAGLE and MTP draft from the hidden states of all prompt tokens, which fast prefill skips.

## Versions
>=0.10

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 981, 0.31.0 line 1986, 0.33.0 line 2023)

## Fix
Take --kv-sharing-fast-prefill out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-sharing-fast-prefill", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or ctx.arg("kv_sharing_fast_prefill") is not True:
        return None
    if spec.method not in ("eagle", "eagle3", "mtp", "dflash", "dspark"):
        return None
    return Hit(
        message=f"--kv-sharing-fast-prefill is given with {spec.method} speculation.",
        effect="vLLM stops before loading.",
        steps=(drop("--kv-sharing-fast-prefill"),),
    )
