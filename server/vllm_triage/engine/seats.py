"""How many requests of one length the KV pool holds at once.

Blocks are handed out as a request grows, so the pool's limit is set by what running requests hold on average, not by
``max_model_len``: prompt plus about three quarters of the output.
"""

from math import ceil

from ..domain import CacheGroup, MemoryBudget, ModelShape
from .efficiency import OUTPUT_SHARE_HELD

__all__ = ["seats_in_pool", "tokens_held"]


def tokens_held(input_tokens: float, output_tokens: float) -> float:
    """Tokens a running request holds in KV cache while the pool is full."""
    return input_tokens + OUTPUT_SHARE_HELD * output_tokens


def seats_in_pool(
    memory: MemoryBudget | None, model: ModelShape | None, replicas: int, input_tokens: float, output_tokens: float
) -> float | None:
    """Requests of this shape that fit in the pools of all replicas; None where the pool is not known.

    A pool whose groups all keep every token is tokens over tokens. Where some layers keep only a window, or a fixed
    state, the printed token count is that of one length only, and blocks are counted instead.
    """
    if memory is None or memory.pool is None:
        return None
    pool, held = memory.pool, tokens_held(input_tokens, output_tokens)
    if held <= 0:
        return None
    if pool.blocks and memory.groups and any(_bounded(group) for group in memory.groups):
        per_request = sum(_blocks(group, model, held) for group in memory.groups)
        return replicas * max(0, pool.blocks - 1) / per_request  # block 0 is never handed out
    return None if pool.tokens is None else replicas * pool.tokens / held


def _bounded(group: CacheGroup) -> bool:
    """True for a group that does not keep every token of a request."""
    return _is_state(group) or _is_window(group)


def _is_state(group: CacheGroup) -> bool:
    return group.kind.lower() in ("state", "mamba", "linear")


def _is_window(group: CacheGroup) -> bool:
    kind = group.kind.lower()
    return "sliding" in kind or "chunked" in kind


def _blocks(group: CacheGroup, model: ModelShape | None, held: float) -> int:
    """Blocks one request holds in one group: all its tokens, those of the window, or one state."""
    if _is_state(group) or group.block_tokens <= 0:
        return 1
    window = _window(model) if _is_window(group) else None
    # A window ends anywhere in a block, so it touches one block more than it fills.
    if window and window < held:
        return ceil(window / group.block_tokens) + 1
    return ceil(held / group.block_tokens)


def _window(model: ModelShape | None) -> int | None:
    """The longest window or local chunk of the model, tokens."""
    if model is None:
        return None
    return max((run.window or 0 for run in model.runs), default=0) or model.sliding_window
