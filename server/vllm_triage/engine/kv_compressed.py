"""The caches of DeepSeek-V4's layers: a window over latents, compressed latents, and what the compressors remember."""

from functools import lru_cache

from ..domain import LayerRun
from .kv_specs import CacheSpec, Latent, SlidingLatent

__all__ = ["caches_of", "token_bytes"]

PACKED_BYTES = 584
"""One latent of ``fp8_ds_mla``: 448 fp8 values, 64 bfloat16 rope values, 8 bytes of scales."""

WINDOW_BLOCK = 64
"""Tokens in a block of the window: as many rows as a block of 256 tokens has latents of 4."""

STATE_BLOCK = {4: 4, 128: 8}
"""Tokens in a block of a compressor's memory, by ratio: what fits the same page."""


def caches_of(
    run: LayerRun, block: int, cache_dtype: str, width: float, release: tuple[int, int, int]
) -> tuple[CacheSpec, ...]:
    """The caches of one layer of `run`.

    Args:
        run: the window, or the compressed latents of a layer.
        block: tokens in a block of latents.
        cache_dtype: ``--kv-cache-dtype``, resolved.
        width: bytes per element of the model's type.
        release: the vLLM release; it decides how pages are aligned.
    """
    packed = cache_dtype == "fp8_ds_mla"
    row = PACKED_BYTES if packed else round(run.head_dim * (1 if cache_dtype.startswith("fp8") else width))
    step = 576 if packed else 512 if release >= (0, 25, 0) else 1
    if run.kind == "mla_window":
        return (_window(row, run.window or 0, step),)
    keys_step = 576 if release < (0, 25, 0) else step
    return _compressed(run.compress or 1, run.head_dim, run.index_dim or 0, block, row, cache_dtype, step, keys_step)


@lru_cache(maxsize=64)
def _window(row: int, window: int, step: int) -> CacheSpec:
    return aligned(SlidingLatent(WINDOW_BLOCK, row, window=window), step)


@lru_cache(maxsize=64)
def _compressed(
    ratio: int, head_dim: int, index_dim: int, block: int, row: int, cache_dtype: str, step: int, keys_step: int
) -> tuple[CacheSpec, ...]:
    """The latents and what their compressor remembers; before them the indexer's, where the layer has one."""
    caches = (
        aligned(Latent(block, row, cache_dtype=cache_dtype, tokens_per_latent=ratio), step),
        memory_of(ratio, head_dim, step),
    )
    if not index_dim:
        return caches
    keys = Latent(block, index_dim + index_dim // 128 * 4, tokens_per_latent=ratio)
    return (aligned(keys, keys_step), memory_of(ratio, index_dim, step), *caches)


def memory_of(ratio: int, head_dim: int, step: int) -> CacheSpec:
    """What a compressor remembers: values and scores of the tokens it has not compressed yet, in float32.

    Latents of 4 overlap: they see two spans and give two outputs.
    """
    overlap = 2 if ratio == min(STATE_BLOCK) else 1
    return aligned(SlidingLatent(STATE_BLOCK[ratio], 2 * overlap * head_dim * 4, window=overlap * ratio), step)


def aligned(spec: CacheSpec, step: int) -> CacheSpec:
    """The cache with its page rounded up to whole steps."""
    page = -(-spec.content_bytes // step) * step
    return spec if page == spec.content_bytes else spec.padded_to(page)


def token_bytes(run: LayerRun, cache_dtype: str, width: float) -> float:
    """Bytes each further token takes in the compressed latents of one layer, blocks of 256 tokens."""
    if run.kind != "mla_compressed":
        return 0.0
    whole = [spec for spec in caches_of(run, 256, cache_dtype, width, (9, 0, 0)) if isinstance(spec, Latent)]
    return sum(spec.page_bytes / spec.block_size for spec in whole)
