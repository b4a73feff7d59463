"""Chunked prefill with EAGLE on the V0 engine.

## What happens
The engine refuses to start.

## Why
The V0 drafters read the hidden states of whole prompts. In 0.6.6 this also holds for Medusa and MLP speculators; an
independent draft model was never affected.

## Versions
<0.11

## Evidence
- vllm/config.py, SpeculativeConfig.maybe_create_spec_config (0.6.6.post1 line 1728, 0.7.3 line 1812); "not
  compatible when using V0" (0.8.3 line 2181 to vllm/config/speculative.py 0.11.0 line 358)

## Fix
Leave chunked prefill out.
"""

from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-chunked-prefill",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or ctx.arg("enable_chunked_prefill") not in (True, "True"):  # V0 took a word after the flag
        return None
    hidden = ("eagle", "medusa", "mlp_speculator") if not ctx.at_least(0, 7) else ("eagle",)
    if ctx.at_least(0, 8) and runs_v0(ctx) is not True:
        return None
    if spec.method not in hidden and not (spec.method == "eagle3" and ctx.at_least(0, 8, 3)):
        return None
    return Hit(
        message=f"--enable-chunked-prefill is given with {spec.method} speculation.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-chunked-prefill"),),
    )
