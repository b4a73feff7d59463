"""The model's architecture was removed.

## What happens
The engine refuses to start.

## Why
Architectures that are hardly used are removed.

## Versions
all

## Evidence
- vllm/model_executor/models/registry.py of every release, _PREVIOUSLY_SUPPORTED_MODELS (0.33.0 line 841)

## Fix
Use the last release that has it.
"""

from ....facts.architectures import last_seen, supported
from ....facts.versions import number
from ...context import Context
from ...rule import Hit, rule


@rule("fatal", flags=(), needs=("model", "plugins"))
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    if model.architecture is None or supported(model.architecture, ctx.version):
        return None
    last = last_seen(model.architecture)
    if last is None or number(last) >= ctx.release:
        return None
    ctx.need_own_names()
    return Hit(
        message=f"{model.architecture} ({model.id}) was in vLLM until {last}; {ctx.version} does not have it.",
        effect="vLLM stops before loading.",
        fix=f"Serve the model with vLLM {last}.",
    )
