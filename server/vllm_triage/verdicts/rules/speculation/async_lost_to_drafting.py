"""Speculation silently turns async scheduling off.

## What happens
The engine starts with `async_scheduling` false; one warning in the log says so. The GPU then waits for the CPU
between steps.

## Why
Left to its default, async scheduling is on unless something is incompatible with it: n-gram and suffix decoding
(through 0.32), and an independent draft model through 0.27.

## Versions
>=0.14

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 725, 0.31.0 line 1596)
- create_engine_config: draft_model keeps it off in 0.18.0 and 0.27.1, on in 0.28.0

## Fix
Draft with a method that supports it (EAGLE-3, MTP, `ngram_gpu`), or say --no-async-scheduling to show that it is
meant.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ._async import supports_async


@rule("silent", flags=("--async-scheduling", "--speculative-config"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or ctx.given("async_scheduling") or supports_async(spec.method, ctx, explicit=False):
        return None
    return Hit(
        message=f"{spec.method} speculation turns async scheduling off in {ctx.version}; it is on by default "
        "otherwise.",
        effect="Each step waits for the scheduler on the CPU, so part of what speculation gains is lost again.",
        fix=_way_out(ctx, spec.method),
        steps=(put("--async-scheduling", False),),
        changed=(("async_scheduling", True, False),),
    )


def _way_out(ctx: Context, method: str) -> str:
    keep = "If that is meant, say `--no-async-scheduling`."
    if method == "ngram" and ctx.at_least(0, 18):
        return f'Use `"method":"ngram_gpu"`, which keeps it on. {keep}'
    if method == "draft_model" and ctx.at_least(0, 16):
        return f"Upgrade to 0.28 or give `--async-scheduling` explicitly, which is accepted with a draft model. {keep}"
    return f"EAGLE-3 and MTP keep it on. {keep}"
