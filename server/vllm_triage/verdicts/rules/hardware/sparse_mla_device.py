"""Sparse MLA on a device without a kernel for it.

## What happens
The worker refuses to start: no valid attention backend.

## Why
The sparse kernels exist for compute capability 9.x and 10.x, and for 12.x from 0.28.

## Versions
>=0.11.1

## Evidence
- vllm/v1/attention/backends/mla/flashmla_sparse.py, flashinfer_mla_sparse.py, supports_compute_capability (0.18.0,
  0.33.0)

## Fix
Use Hopper or Blackwell GPUs.
"""

from ...context import Context, Needs
from ...rule import Hit, rule

OWN = ("FLASHMLA", "FLASHINFER", "FLASH_ATTN", "TRITON", "CUTLASS", "FLEX", "AUTO")
"""How the names of vLLM's own backends for NVIDIA begin (``AttentionBackendEnum``)."""


@rule("fatal", flags=("--attention-backend",), needs=("model", "gpu", "plugins"))
def check(ctx: Context) -> Hit | None:
    model = ctx.model
    if model is None:
        raise Needs("model")
    if not any(run.kind == "mla_sparse" for run in model.runs):
        return None
    have = ctx.need_capability()
    if have is None or have[0] in (9, 10) or (have[0] == 12 and ctx.at_least(0, 28)):
        return None
    named = ctx.arg("attention_backend") or ctx.env.get("VLLM_ATTENTION_BACKEND")
    if ctx.plugins or (isinstance(named, str) and not named.upper().startswith(OWN)):
        raise Needs("plugins")  # a kernel of somebody else's may serve the device
    return Hit(
        message=f"{model.id} attends sparsely (DSA); {ctx.need_gpu().name} has compute capability {have[0]}.{have[1]}.",
        effect="The worker stops: no valid attention backend is found.",
        fix="Serve it on Hopper or Blackwell GPUs (compute capability 9.x or 10.x).",
    )
