"""Flex attention asked for by name, on a model or a cache it does not compute.

## What happens
The engine stops while it builds the model.

## Why
Flex attention is written in PyTorch: ALiBi, a soft cap on the logits, layers that share their KV cache and a cache of
8-bit numbers are not in it; windows came with 0.11.

## Versions
>=0.9.1

## Evidence
- vllm/v1/attention/backends/flex_attention.py, FlexAttentionImpl.__init__ (0.9.1 lines 368 to 397, 0.33.0 lines 1171 to
  1198); sliding windows until 0.10.2

## Fix
Leave the backend to vLLM.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, drop_env, rule
from .early_attention_refuses import has_alibi, has_soft_cap, shares_cache

_NAME = "FLEX_ATTENTION"


def _against(ctx: Context) -> Iterator[str]:
    kv = str(ctx.arg("kv_cache_dtype", "auto"))
    if kv.startswith(("fp8", "int8", "nvfp4")):
        yield f"a {kv} KV cache"
    model = ctx.need_model()
    if has_alibi(model):
        yield "ALiBi"
    if has_soft_cap(model):
        yield "a soft cap on the attention logits"
    if shares_cache(model):
        yield "layers that share their KV cache"
    if not ctx.at_least(0, 11) and model.sliding_window is not None and ctx.arg("disable_sliding_window") is not True:
        yield "a sliding window"


@rule("fatal", flags=("--attention-backend",), needs=("model",))
def check(ctx: Context) -> Iterator[Hit]:
    asked = ctx.arg("attention_backend") or ctx.mapping("attention_config").get("backend")
    by_env = ctx.env.get("VLLM_ATTENTION_BACKEND") if not ctx.at_least(0, 15) else None
    if _NAME not in (asked, by_env):
        return
    for what in _against(ctx):
        yield Hit(
            message=f"{_NAME} is asked for, which does not have {what}.",
            effect="vLLM stops while it builds the model.",
            steps=(drop("--attention-backend"), drop("--attention-config")) if asked else (drop_env("VLLM_ATTENTION_BACKEND"),),
            fix="Leave the attention backend to vLLM.",
        )
