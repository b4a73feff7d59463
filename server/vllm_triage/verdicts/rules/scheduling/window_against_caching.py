"""A sliding window that V0 can neither cache nor turn off.

## What happens
The engine refuses to start.

## Why
V0 freed the blocks a window has passed, so prefixes could not be kept; the window can be turned off only where the length
the model was made for is plain.

## Versions
<0.12

## Evidence
- vllm/config.py, CacheConfig._verify_prefix_caching (0.6.6.post1 line 1031 to 0.10.0) and vllm/config/cache.py (0.10.1 to
  0.11.0): only on V0
- vllm/config.py, _get_and_verify_max_len (0.6.6.post1 line 2356 to vllm/config/model.py 0.11.2 line 2092): rope_scaling
- vllm/config.py and vllm/attention/backends/utils.py of 0.6.0: no window with chunked prefill, or in the first block manager

## Fix
Take --enable-prefix-caching out, or --disable-sliding-window.
"""

from collections.abc import Iterator

from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop, put, rule

_CACHING, _OFF = "--enable-prefix-caching", "--disable-sliding-window"
_INTERLEAVED = frozenset({"gemma2", "gemma3", "gemma3_text", "cohere2", "gpt_oss", "llama4", "qwen2", "qwen3"})
"""Model types whose window some layers have, or that keep it unused: it is not held against these."""


@rule("fatal", flags=(_CACHING, _OFF), needs=("model",))
def check(ctx: Context) -> Iterator[Hit]:
    cached, off = ctx.arg("enable_prefix_caching") is True, ctx.arg("disable_sliding_window") is True
    chunked = ctx.within("<0.6.2") and ctx.arg("enable_chunked_prefill") in (True, "True", "true")
    if not (cached or off or chunked):
        return
    model = ctx.need_model()
    if model.sliding_window is None or model.model_type in _INTERLEAVED:
        return
    stops = "vLLM stops before loading."
    scaled = model.derived_max_model_len != model.max_position_embeddings and model.derived_max_model_len is not None
    if off and scaled:
        yield Hit(message=f"{_OFF} is given for {model.id}, whose context is stretched by rope scaling.", effect=stops,
                  flags=(_OFF,), steps=(drop(_OFF),))  # fmt: skip
    if off or ctx.at_least(0, 11) or runs_v0(ctx) is not True:
        return
    ways = (drop(_CACHING),) if scaled else (put(_OFF, True),)
    if cached:
        yield Hit(message=f"{_CACHING} is given for {model.id}, which has a sliding window, on the V0 engine.", effect=stops,
                  flags=(_CACHING,), steps=ways)  # fmt: skip
    if chunked:
        yield Hit(message=f"--enable-chunked-prefill is given for {model.id}, which has a sliding window.", effect=stops,
                  flags=(_OFF,), steps=(put(_OFF, True),))  # fmt: skip
