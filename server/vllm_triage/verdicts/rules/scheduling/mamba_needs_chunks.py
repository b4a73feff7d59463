"""Prefix caching of recurrent state without chunked prefill.

## What happens
The engine refuses to start.

## Why
State is saved at block boundaries, so prompts must be cut there.

## Versions
>=0.15

## Evidence
- vllm/model_executor/models/config.py, MambaModelConfig.verify_and_update_config (0.18.0 line 389, 0.31.0 line 660,
  0.33.0 line 772)
- create_engine_config of 0.33.0 on Falcon-H1 without chunked prefill

## Fix
Leave chunked prefill on, or turn prefix caching off.
"""

from ....facts.architectures import implements
from ...context import Context
from ...rule import Hit, drop, rule


def _all_by_default(ctx: Context, architecture: str | None) -> bool:
    """True where state is kept at every block ("all" mode), which needs no alignment of chunks."""
    return architecture is not None and implements(architecture, ctx.version, "mamba_prefix_caching") is True


@rule("fatal", flags=("--enable-chunked-prefill", "--enable-prefix-caching"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.chunked:
        return None
    model = ctx.need_model()
    if not any(run.kind in ("mamba", "linear") for run in model.runs):
        return None
    if ctx.setting("enable_prefix_caching") is not True or ctx.arg("mamba_cache_mode") == "all":
        return None
    if not ctx.at_least(0, 26) and _all_by_default(ctx, model.architecture):
        return None
    return Hit(
        message=f"{model.id} keeps recurrent state; prefix caching is on and chunked prefill off.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-chunked-prefill"),),
        fix="Remove `--no-enable-chunked-prefill`, or add `--no-enable-prefix-caching`.",
    )
