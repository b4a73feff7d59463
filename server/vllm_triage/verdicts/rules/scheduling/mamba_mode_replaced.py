"""The Mamba cache mode asked for is replaced by align.

## What happens
The engine starts with mode align and a warning, or none.

## Why
Prefix caching needs the state at block boundaries, so `none` cannot stay; `all` needs kernels that only some
architectures have, and is gone from 0.33.

## Versions
>=0.15

## Evidence
- vllm/model_executor/models/config.py, MambaModelConfig.verify_and_update_config (0.18.0 line 367, 0.31.0 line 640,
  0.33.0 line 763); the classes with SupportsMambaPrefixCaching recorded for each release
- create_engine_config of 0.31.0 and 0.33.0 on Falcon-H1 with mode none

## Fix
Say --mamba-cache-mode align, or turn prefix caching off.
"""

from ....facts.architectures import implements
from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("silent", flags=("--mamba-cache-mode", "--enable-prefix-caching"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("mamba_cache_mode")
    if asked not in ("none", "all") or ctx.setting("enable_prefix_caching") is not True:
        return None
    model = ctx.need_model()
    if model.architecture is None or not any(run.kind in ("mamba", "linear") for run in model.runs):
        return None
    able = implements(model.architecture, ctx.version, "mamba_prefix_caching")
    if asked == "all" and able is not False:
        return None
    got = "all" if asked == "none" and able is True and not ctx.at_least(0, 26) else "align"
    return Hit(
        message=f"--mamba-cache-mode {asked} is given for {model.id} with prefix caching on; {got} is used.",
        effect="State is kept at block boundaries." if asked == "none" else "Fewer prefixes are found again.",
        steps=(put("--mamba-cache-mode", "align"),) if got == "align" else (drop("--mamba-cache-mode"),),
        changed=(("mamba_cache_mode", asked, got),),
    )
