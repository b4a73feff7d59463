"""Async scheduling is demanded with a method that cannot run under it.

## What happens
The engine refuses to start: with the flag given, an incompatibility is an error, not a fallback.

## Why
Async scheduling plans the next step before this step's tokens are known, so the drafter must run on the GPU. N-gram
and suffix search run on the CPU. Until 0.11.0 no method could.

## Versions
>=0.10

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.10.0 line 1151, 0.11.0 line 1302); vllm/config/vllm.py (0.11.1
  line 382 to 0.13.0 line 553): EAGLE and MTP alone
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 702, 0.31.0 line 1562)
- create_engine_config of 0.18.0, 0.23.0, 0.31.0 and 0.32.0 on `--async-scheduling` with n-gram

## Fix
Leave --async-scheduling out, or draft with `ngram_gpu` (from 0.18), which supports it.
"""

from ...context import Context
from ...rule import Hit, drop, rule
from ._async import supports_async


@rule("fatal", flags=("--async-scheduling", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or ctx.arg("async_scheduling") is not True or (
        ctx.at_least(0, 11, 1) and supports_async(spec.method, ctx, explicit=True)
    ):
        return None
    also = " or use `ngram_gpu`" if spec.method == "ngram" and ctx.at_least(0, 18) else ""
    return Hit(
        message=f"--async-scheduling is given with {spec.method} speculation, which does not support it in "
        f"{ctx.version}.",
        effect="vLLM stops before loading.",
        fix=f"Remove `--async-scheduling`{also}.",
        steps=(drop("--async-scheduling"),),
    )
