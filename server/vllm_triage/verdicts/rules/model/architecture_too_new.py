"""The model's architecture came with a later release.

## What happens
The engine refuses to start: model architectures are not supported.

## Why
Each release has a registry of architectures. One that is missing may still run through the Transformers backend if
the installed Transformers knows it, which for a newer model it rarely does.

## Versions
all

## Evidence
- vllm/model_executor/models/registry.py of every release, recorded architecture by architecture

## Fix
Upgrade vLLM.
"""

from ....facts.architectures import first_seen, supported
from ....facts.versions import number
from ...context import Context
from ...rule import Hit, rule


def _released(version: str) -> bool:
    """True for a release; a development build may hold what the next release has."""
    return not any(mark in version for mark in ("dev", "rc", "+g"))


@rule("fatal", flags=(), needs=("model", "plugins"))
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    if model.architecture is None or supported(model.architecture, ctx.version) or not _released(ctx.version):
        return None
    first = first_seen(model.architecture)
    if first is None or number(first) <= ctx.release:
        return None
    ctx.need_own_names()
    return Hit(
        message=f"{model.architecture} ({model.id}) is in vLLM from {first} on; {ctx.version} does not have it.",
        effect="vLLM stops before loading, unless its Transformers backend can run the model.",
        fix=f"Upgrade to {first} or later; this version has no way to serve the model.",
    )
