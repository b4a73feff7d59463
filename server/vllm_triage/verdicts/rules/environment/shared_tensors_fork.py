"""Shared-memory tensors with forked workers.

## What happens
The engine refuses to start.

## Why
The shared memory handles do not survive a fork.

## Versions
>=0.19

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.31.0 line 1672, 0.33.0)

## Fix
Set VLLM_WORKER_MULTIPROC_METHOD=spawn.
"""

from ...context import Context
from ...rule import Hit, rule, set_env


@rule("fatal", flags=("--mm-tensor-ipc",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("mm_tensor_ipc") != "torch_shm" or ctx.env.get("VLLM_WORKER_MULTIPROC_METHOD") == "spawn":
        return None
    if not ctx.need_model().is_multimodal:
        return None
    return Hit(
        message="--mm-tensor-ipc torch_shm is given without VLLM_WORKER_MULTIPROC_METHOD=spawn.",
        effect="vLLM stops before loading.",
        steps=(set_env("VLLM_WORKER_MULTIPROC_METHOD", "spawn"),),
    )
