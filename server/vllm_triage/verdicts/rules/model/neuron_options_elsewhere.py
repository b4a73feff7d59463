"""Neuron's own options on another device.

## What happens
The engine refuses to start.

## Why
The option is held against the platform.

## Versions
>=0.9,<0.10.2

## Evidence
- vllm/config.py, ModelConfig.__post_init__ (0.9.0 line 593) to vllm/config/__init__.py (0.10.1 line 752)

## Fix
Take --override-neuron-config out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--override-neuron-config",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if not ctx.arg("override_neuron_config") or ctx.need_gpu().vendor == "other":
        return None
    return Hit(
        message=f"--override-neuron-config is given on {ctx.need_gpu().name}.",
        effect="vLLM stops before loading.",
        steps=(drop("--override-neuron-config"),),
    )
