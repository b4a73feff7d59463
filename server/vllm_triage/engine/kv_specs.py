"""One frozen class per kind of KV cache: how big a block of one layer is, and how many blocks one request needs.

Names and formulas follow vLLM's ``v1/kv_cache_interface.py``. Sizes are bytes on one worker, after tensor parallelism.
"""

from math import ceil
from typing import NamedTuple, Self

__all__ = [
    "CacheSpec",
    "ChunkedLocal",
    "CrossAttention",
    "EncoderOnly",
    "FullAttention",
    "Latent",
    "Request",
    "Ring",
    "SlidingLatent",
    "SlidingWindow",
    "State",
]


class Request(NamedTuple):
    """What decides how many blocks the longest request may hold at once."""

    max_model_len: int
    in_flight_tokens: int
    """Tokens scheduled and not yet settled: the token budget, times the batches in flight (from 0.26)."""
    context_shards: int = 1
    """Decode (and, before 0.26, prefill) context parallel size: how many ranks share one sequence's tokens."""
    encoder_tokens: int = 0
    """Longest encoder input, for cross attention."""
    mamba_mode: str = "none"
    """``none``, ``align`` or ``all``: how recurrent state takes part in prefix caching."""
    drafts_beside_all: bool = False
    """In ``all`` mode the draft tokens' states are counted too (from 0.22)."""

    def of_length(self, max_model_len: int) -> "Request":
        """The same request for another maximum length."""
        return self._replace(max_model_len=max_model_len)


class _Sizes(NamedTuple):
    """What the kinds of cache are told by, in one record: a kind leaves what it has no use for as it is."""

    block_size: int
    bytes_per_token: int
    padded: int | None = None
    """A larger page it is laid out in."""
    cache_dtype: str | None = None
    """A latent's ``--kv-cache-dtype``; None for an indexer's keys. Latents that differ in it are never merged."""
    tokens_per_latent: int = 1
    """Tokens one latent stands for (DeepSeek-V4: 4 or 128)."""
    window: int = 0
    retained: int = 0
    """Tokens kept below the window for multi-module speculation (0.28 and later)."""
    chunk: int = 0
    state_bytes: int = 0
    speculative: int = 0
    """Extra states for draft tokens."""
    checkpoints: int = 0
    """Extra states exported from inside a prefill, in ``align`` mode."""


class CacheSpec(_Sizes):
    """The cache of one layer. `page_bytes` is one block of it. Caches of two kinds are never equal."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    @property
    def content_bytes(self) -> int:
        """Bytes a block really holds."""
        return self.block_size * self.bytes_per_token

    @property
    def page_bytes(self) -> int:
        """Bytes one block of this layer takes."""
        return self.content_bytes if self.padded is None else self.padded

    def blocks(self, request: Request) -> int:
        """Blocks one request of the maximum length may hold at once."""
        raise NotImplementedError

    def uniform_key(self) -> tuple[object, ...]:
        """Layers with equal keys (and block sizes) always need the same number of token slots."""
        return (type(self).__name__,)

    def resized(self, block_size: int) -> Self:
        """The same cache in larger blocks; a state does not grow with them."""
        return self._replace(block_size=block_size)

    def padded_to(self, page_bytes: int) -> Self:
        """The same cache in a larger page."""
        return self._replace(padded=page_bytes)


class FullAttention(CacheSpec):
    """Keys and values of every token: ``block_size x kv_heads x (K size + V size) x bytes``."""

    __slots__ = ()

    def blocks(self, request: Request) -> int:
        """``ceil(tokens / block_size)`` of the tokens this rank keeps."""
        return ceil(ceil(request.max_model_len / request.context_shards) / self.block_size)

    def uniform_key(self) -> tuple[object, ...]:
        """Full attention in all its forms: latent and sink layers count as full."""
        return ("FullAttention",)


class Latent(FullAttention):
    """One latent per token (MLA), the same on every tensor-parallel rank."""

    __slots__ = ()

    @property
    def content_bytes(self) -> int:
        """One latent for each of the block's compressed positions."""
        return self.block_size // self.tokens_per_latent * self.bytes_per_token


class SlidingWindow(CacheSpec):
    """Keys and values of the last `window` tokens."""

    __slots__ = ()

    def blocks(self, request: Request) -> int:
        """Blocks of the window plus what is in flight, one more because the window need not start at a block's edge."""
        tokens = min(self.window - 1 + self.retained + request.in_flight_tokens, request.max_model_len)
        return ceil(tokens / self.block_size) + 1

    def uniform_key(self) -> tuple[object, ...]:
        """Windows of different length free blocks at different times."""
        return ("SlidingWindow", self.window)


class SlidingLatent(SlidingWindow):
    """A latent of the last `window` tokens (DeepSeek-V4)."""

    __slots__ = ()

    def uniform_key(self) -> tuple[object, ...]:
        """Apart from windows over keys and values."""
        return ("SlidingLatent", self.window)


class Ring(CacheSpec):
    """The last few raw rows of each request, overwritten in place (``CircularBufferSpec``, from 0.29).

    What a compressing indexer has not folded into a summary yet. Its block is the ring, whatever its length.
    """

    __slots__ = ()

    def blocks(self, request: Request) -> int:  # noqa: ARG002 - the same question of every cache
        """One, for the request's whole life."""
        return 1


class ChunkedLocal(CacheSpec):
    """Keys and values of the current chunk (Llama 4)."""

    __slots__ = ()

    def blocks(self, request: Request) -> int:
        """Blocks of one chunk plus what is in flight; a chunk starts at a block's edge, so no extra one."""
        return ceil(min(self.chunk + request.in_flight_tokens, request.max_model_len) / self.block_size)

    def uniform_key(self) -> tuple[object, ...]:
        """Chunks of different length free blocks at different times."""
        return ("ChunkedLocal", self.chunk)


class CrossAttention(CacheSpec):
    """Keys and values of the encoder's output."""

    __slots__ = ()

    def blocks(self, request: Request) -> int:
        """Blocks of the longest encoder input."""
        return ceil(request.encoder_tokens / self.block_size)


class EncoderOnly(CacheSpec):
    """Bidirectional attention: nothing is kept between steps."""

    __slots__ = ()

    def blocks(self, request: Request) -> int:  # noqa: ARG002 - the same question of every cache
        """None."""
        return 0


class State(CacheSpec):
    """Recurrent state (mamba, linear attention): `state_bytes` per sequence, however long it is."""

    __slots__ = ()

    @property
    def content_bytes(self) -> int:
        """The state; independent of the block size."""
        return self.state_bytes

    def blocks(self, request: Request) -> int:
        """One state; two when states are kept at block edges (align); one per block when all are kept."""
        if request.mamba_mode == "all":
            beside = self.speculative if request.drafts_beside_all else 0
            return ceil(request.max_model_len / self.block_size) + beside
        if request.mamba_mode == "align":
            return 2 + self.speculative + self.checkpoints  # the running state and the one at the last block's edge
        return 1 + self.speculative

    def uniform_key(self) -> tuple[object, ...]:
        """States of one size are interchangeable."""
        return ("State", self.speculative, self.page_bytes)
