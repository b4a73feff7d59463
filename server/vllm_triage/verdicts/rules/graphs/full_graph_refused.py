"""A graph of the whole model on attention that cannot be captured so.

## What happens
The engine stops while it captures its graphs.

## Why
FlashAttention must plan ahead to be captured whole, which its third version does, on Hopper, for up to 992 tokens; latent
attention is captured for decoding alone, so no graph may hold more tokens than there are seats.

## Versions
>=0.9,<0.10.1

## Evidence
- vllm/v1/attention/backends/flash_attn.py, FlashAttentionMetadataBuilder.__init__ (0.9.1 line 329, 0.9.2 lines 178 to 192,
  0.10.0 line 170)
- vllm/v1/attention/backends/mla/common.py, MLACommonMetadataBuilder (0.9.2 line 469, 0.10.0): decode-only capture

## Fix
Take full_cuda_graph out, or capture smaller sizes.
"""

from collections.abc import Iterator

from ....domain import Json
from ...context import Context
from ...rule import Hit, put, rule

_FLAG = "--compilation-config"


def _sizes(config: dict[str, Json]) -> list[int]:
    held = config.get("cudagraph_capture_sizes")
    return [size for size in held if isinstance(size, int)] if isinstance(held, list) else []


@rule("fatal", flags=(_FLAG,), needs=("model", "gpu"))
def check(ctx: Context) -> Iterator[Hit]:
    config = ctx.mapping("compilation_config")
    if config.get("full_cuda_graph") is not True or ctx.need_gpu().vendor != "nvidia":
        return
    have, sizes = ctx.need_capability(), _sizes(config)
    stops = "vLLM stops while it captures its graphs."
    without = {key: value for key, value in config.items() if key != "full_cuda_graph"}
    if ctx.need_model().uses_mla:
        seats = ctx.number("max_num_seqs")
        if ctx.at_least(0, 9, 2) and sizes and seats is not None and max(sizes) > seats:
            fitting: list[Json] = [size for size in sizes if size <= seats]
            yield Hit(
                message=f"A graph of {max(sizes)} tokens is captured whole, with latent attention and {seats} seats.",
                effect=stops,
                steps=(put(_FLAG, {**config, "cudagraph_capture_sizes": fitting} if fitting else without),),
            )
        return
    if ctx.env.get("VLLM_ATTENTION_BACKEND", "FLASH_ATTN").startswith("FLASH_ATTN") and have is not None and have[0] != 9:
        yield Hit(
            message=f"full_cuda_graph is set on {ctx.need_gpu().name}, which has no FlashAttention 3.",
            effect=stops, flags=(_FLAG,), steps=(put(_FLAG, without),),
        )  # fmt: skip
    elif ctx.at_least(0, 9, 2) and sizes and max(sizes) > 992:
        smaller: list[Json] = [size for size in sizes if size <= 992]
        yield Hit(
            message=f"A graph of {max(sizes)} tokens is captured whole; FlashAttention 3 takes up to 992.",
            effect=stops,
            steps=(put(_FLAG, {**config, "cudagraph_capture_sizes": smaller} if smaller else without),),
        )
