"""The pool of KV blocks when nothing is cached across requests: a number."""

from .request import Request

__all__ = ["BlockPool"]


class BlockPool:
    """Blocks without identity. Which block a request gets makes no difference, so only how many are free is kept."""

    __slots__ = ("block_size", "free", "total")

    def __init__(self, blocks: int, block_size: int) -> None:
        self.block_size = block_size
        self.total = blocks
        """Blocks that can be handed out."""
        self.free = blocks

    def find(self, _request: Request, /) -> tuple[int, int]:
        """Full blocks of a request that need not be computed, and how many of them are free now: none."""
        return 0, 0

    def adopt(self, _request: Request, /) -> None:
        """Give a request the blocks :meth:`find` found for it."""

    def take(self, blocks: int, /) -> None:
        """Hand out blocks; there must be that many free."""
        self.free -= blocks

    def cache(self, _request: Request, _tokens: int, /) -> None:
        """Let others find the full blocks among the first tokens of a running request."""

    def release(self, _request: Request, held: int, _cached: int, /, *, keep: bool) -> None:  # noqa: ARG002
        """Take back all blocks of a request that has slots for `held` tokens, `cached` of them for others to find.

        Args:
            keep: whether the request itself will look for them again: it was preempted.
        """
        self.free += -(-held // self.block_size)
