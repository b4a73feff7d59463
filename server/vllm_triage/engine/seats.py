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
        if per_request > 0:
            return replicas * pool.blocks / per_request
    return None if pool.tokens is None else replicas * pool.tokens / held


def _bounded(group: CacheGroup) -> bool:
    return group.kind not in ("full", "mla", "mla_sparse")


def _blocks(group: CacheGroup, model: ModelShape | None, held: float) -> int:
    """Blocks one request holds in one group: all its tokens, those of the window, or one state."""
    if group.block_tokens <= 0:
        return 1
    if group.kind in ("mamba", "linear"):
        return 1
    window = None
    if _bounded(group) and model is not None:
        window = (
            max((run.window or 0 for run in model.runs if run.kind == group.kind), default=0) or model.sliding_window
        )
    # A window ends anywhere in a block, so it touches one block more than it fills.
    if window and window < held:
        return ceil(window / group.block_tokens) + 1
    return ceil(held / group.block_tokens)
