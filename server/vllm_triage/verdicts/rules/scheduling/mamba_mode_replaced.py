"""The Mamba cache mode asked for is replaced.

## What happens
The engine starts with another mode and a line in its log, or without one.

## Why
Prefix caching needs the state at block boundaries, so `none` cannot stay; without it only `none` can. `all` needs
kernels that only some architectures have, and is gone from 0.33, which reads the flag no more.

## Versions
>=0.15

## Evidence
- vllm/model_executor/models/config.py, MambaModelConfig.verify_and_update_config (0.18.0 line 367, 0.31.0 line 640,
  0.33.0 line 763); the classes with SupportsMambaPrefixCaching recorded for each release
- create_engine_config of 0.31.0 and 0.33.0 on Falcon-H1 with mode none

## Fix
Leave the flag out; the mode follows prefix caching.
"""

from ....facts.architectures import implements
from ...context import Context
from ...rule import Hit, drop, put, rule


def _of(ctx: Context, asked: str, got: str, why: str) -> Hit:
    effects = {
        "none": "No state is kept for a prefix.",
        "all": "Every state is kept.",
        "align": "State is kept at block boundaries.",
    }
    return Hit(
        message=f"--mamba-cache-mode {asked} is given for {ctx.need_model().id}: {why}, {got} is used.",
        effect=effects[got],
        steps=(put("--mamba-cache-mode", "align"),) if got == "align" else (drop("--mamba-cache-mode"),),
        changed=(("mamba_cache_mode", asked, got),),
    )


@rule("silent", flags=("--mamba-cache-mode", "--enable-prefix-caching"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("mamba_cache_mode")
    if asked not in ("none", "all", "align"):
        return None
    model = ctx.need_model()
    recurrent = any(run.kind in ("mamba", "linear") for run in model.runs)
    if not recurrent:
        return _of(ctx, asked, "none", "it has no such layers") if ctx.at_least(0, 33) and asked != "none" else None
    if ctx.setting("enable_prefix_caching") is not True:
        return _of(ctx, asked, "none", "prefix caching is off") if asked != "none" else None
    if asked == "align" or model.architecture is None:
        return None
    able = implements(model.architecture, ctx.version, "mamba_prefix_caching")
    if asked == "all" and able is not False:
        return None
    got = "all" if asked == "none" and able is True and not ctx.at_least(0, 26) else "align"
    return _of(ctx, asked, got, "prefix caching is on")
