"""Mamba cache mode `all` falls back to `align`.

## What happens
The engine starts with mode align and a warning.

## Why
Keeping the state at every block needs kernels that only some architectures have.

## Versions
>=0.15,<0.33

## Evidence
- vllm/model_executor/models/config.py, MambaModelConfig.verify_and_update_config (0.18.0 line 383, 0.31.0 line 654);
  the classes with SupportsMambaPrefixCaching recorded for each release

## Fix
Say --mamba-cache-mode align.
"""

from ....facts.architectures import implements
from ...context import Context
from ...rule import Hit, put, rule


@rule("silent", flags=("--mamba-cache-mode",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("mamba_cache_mode") != "all" or ctx.setting("enable_prefix_caching") is not True:
        return None
    model = ctx.need_model()
    if model.architecture is None or implements(model.architecture, ctx.version, "mamba_prefix_caching") is not False:
        return None
    if not any(run.kind in ("mamba", "linear") for run in model.runs):
        return None
    return Hit(
        message=f"{model.architecture} does not keep its state at every block in vLLM {ctx.version}.",
        effect="State is kept at aligned chunk ends only; fewer prefixes are found again.",
        steps=(put("--mamba-cache-mode", "align"),),
        changed=(("mamba_cache_mode", "all", "align"),),
    )
