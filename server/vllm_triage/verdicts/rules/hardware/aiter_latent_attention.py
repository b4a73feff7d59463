"""Latent attention on AMD with blocks, a context or heads that AITER does not take.

## What happens
The engine stops while it builds the model.

## Why
AITER's latent attention is taken with VLLM_ROCM_USE_AITER=1 or with blocks of one token, and takes no other block; its
first releases took one context length, and until 0.17 only 16 or 128 heads on a rank. Triton's takes any block but of
one token.

## Versions
>=0.8.5,<0.27

## Evidence
- vllm/platforms/rocm.py, RocmPlatform.get_attn_backend_cls (0.8.5 line 146, 0.10.0 line 185, 0.12.0 line 237)
- vllm/attention/backends/rocm_aiter_mla.py lines 129 to 131 (0.8.5, 0.9.0), to 0.10.2
- vllm/v1/attention/backends/mla/rocm_aiter_mla.py line 150 (0.9.0) to line 214 (0.17.1), 263 (0.18.0 to 0.19.1), 402 (0.20.0)
  to 648 (0.26.0): the heads of a rank

## Fix
Give --block-size 1, and split the model so that each rank has 16 or 128 heads.
"""

from collections.abc import Iterator

from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop, drop_env, put, rule

_ON = ("1", "true", "True")


def _takes(heads: int, ctx: Context) -> bool:
    """Whether the kernel of the release takes as many heads on a rank."""
    if not ctx.at_least(0, 18):
        return heads in (16, 128)
    if not ctx.at_least(0, 20):
        return heads in (4, 8) or (heads % 16 == 0 and heads <= 128)
    return heads % 16 == 0 or 16 % heads == 0


@rule("fatal", flags=("--block-size", "--max-model-len", "--tensor-parallel-size"), needs=("model", "gpu"))
def check(ctx: Context) -> Iterator[Hit]:
    gpu, model = ctx.need_gpu(), ctx.need_model()
    if gpu.vendor != "amd" or not any(run.kind == "mla" for run in model.runs):
        return
    block = ctx.whole("block_size") or 16
    asked = ctx.arg("attention_backend") or ctx.env.get("VLLM_ATTENTION_BACKEND") or ""
    by_env = ctx.env.get("VLLM_ROCM_USE_AITER") in _ON and ctx.env.get("VLLM_ROCM_USE_AITER_MLA", "1") in _ON
    taken = str(asked).startswith("ROCM_AITER_MLA") or (not asked and (by_env or block == 1))
    stops = "vLLM stops while it builds the model."
    if block == 1 and asked == "TRITON_MLA" and ctx.within("<0.20"):
        yield Hit(
            message=f"--block-size 1 is given with TRITON_MLA on {gpu.name}.",
            effect=stops, flags=("--block-size",), steps=(drop("--block-size"),),
        )  # fmt: skip
    if not taken:
        return
    if block != 1 and ctx.within("<0.12"):
        yield Hit(
            message=f"AITER's latent attention takes blocks of one token; here they have {block}.",
            effect=stops, flags=("--block-size",), steps=(put("--block-size", 1),),
        )  # fmt: skip
    context = ctx.number("max_model_len")
    if ctx.within("<0.9.1") and context is not None and context != 32768:
        yield Hit(
            message=f"AITER's latent attention takes a context of 32768 tokens alone; here it is {context}.",
            effect=stops, flags=("--max-model-len",), steps=(put("--max-model-len", 32768),),
        )  # fmt: skip
    heads = (model.q_heads or 0) // ctx.tp
    if ctx.at_least(0, 9) and runs_v0(ctx) is False and heads and not _takes(heads, ctx):
        yield Hit(
            message=f"Each of {ctx.tp} ranks has {heads} heads of {model.id}, which AITER's latent attention does not take.",
            effect=stops,
            flags=("--tensor-parallel-size",),
            steps=(drop_env("VLLM_ROCM_USE_AITER"),) if by_env and block != 1 else (),
            fix="Split the model so that each rank has 16 or 128 heads, or leave VLLM_ROCM_USE_AITER and --block-size 1 out.",
        )
