"""Tensor parallelism keeps the MLA latent on every rank.

## What happens
The engine starts; the KV pool does not grow with tensor-parallel ranks.

## Why
The latent has no heads to split, so each rank caches all of it.

## Versions
>=0.9

## Evidence
- vllm/v1/kv_cache_interface.py, MLAAttentionSpec (0.18.0 line 205, one head whatever the tensor parallel size)

## Fix
Split requests instead: data parallelism with expert parallelism, or decode context parallelism.
"""

from ....domain import FixStep
from ...context import Context
from ...rule import Hit, drop, put, rule
from .dcp_backend import without_lse


@rule("degraded", flags=("--tensor-parallel-size",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.tp <= 1 or ctx.dcp > 1:
        return None
    model = ctx.need_model()
    if not model.uses_mla:
        return None
    eight_bits = str(ctx.setting("kv_cache_dtype") or "").startswith("fp8") and not ctx.at_least(0, 25)
    by_context = ctx.at_least(0, 11) and without_lse(ctx) is None and not eight_bits
    return Hit(
        message=f"{model.id} caches a latent (MLA), which all {ctx.tp} ranks keep whole.",
        effect="KV memory per request is not divided by the tensor parallel size.",
        steps=_steps(ctx) if by_context else (),
        fix=(f"`--decode-context-parallel-size {ctx.tp}` splits the cache by context; or use " if by_context else "Use ")
        + "`--data-parallel-size` with `--enable-expert-parallel` instead of tensor parallelism.",
    )


def _steps(ctx: Context) -> tuple[FixStep, ...]:
    """Split by context; an interleave that was given for another split goes."""
    interleaved = ctx.given("cp_kv_cache_interleave_size")
    split = put("--decode-context-parallel-size", ctx.tp)
    return (split, drop("--cp-kv-cache-interleave-size")) if interleaved else (split,)
