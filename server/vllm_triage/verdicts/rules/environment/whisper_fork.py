"""Whisper with forked workers.

## What happens
Start-up may hang; newer releases warn.

## Why
The audio libraries it loads do not survive a fork.

## Versions
>=0.10.2

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.10.2, in vllm/config/__init__.py; 0.18.0 line 1000, 0.31.0 line 2003, 0.33.0 line 2040)

## Fix
Set VLLM_WORKER_MULTIPROC_METHOD=spawn.
"""

from ...context import Context
from ...rule import Hit, rule, set_env


@rule("degraded", flags=(), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_WORKER_MULTIPROC_METHOD") == "spawn":
        return None
    model = ctx.model
    if model is None or model.architecture != "WhisperForConditionalGeneration":
        return None
    return Hit(
        message=f"{model.id} is served with forked workers.",
        effect="Start-up may hang.",
        steps=(set_env("VLLM_WORKER_MULTIPROC_METHOD", "spawn"),),
    )
