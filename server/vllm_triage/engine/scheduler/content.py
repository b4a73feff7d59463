"""Names for KV blocks by what they hold, without hashing a token.

vLLM names a full block by a hash of every token from the beginning of the request to the end of the block. The tokens
of a request come in runs of known content, so the same name is found by arithmetic: the run a block ends in, the runs
before it, and the block's place.
"""

from collections.abc import Iterator

from .limits import Run

__all__ = ["OWN", "Chain", "Contents"]

_PLACES = 32
"""Bits of a name that hold the block's place in its request; the rest tells the content."""

OWN = 1 << _PLACES
"""Number of names set aside for each content."""

Chain = tuple[tuple[int, int], ...]
"""Where names come from: block i is named ``base + i`` with the first ``(end, base)`` whose ``end`` is above i."""


class Contents:
    """Gives equal beginnings equal names, for blocks of one size."""

    __slots__ = ("_block_size", "_made", "_nodes")

    def __init__(self, block_size: int) -> None:
        self._block_size = block_size
        self._nodes: dict[tuple[int, int, int], int] = {}
        self._made = 0
        """Nodes made; those forgotten since are among them, for the blocks named after them are still there."""

    def names(self, runs: tuple[Run, ...], request: int) -> tuple[Chain, int]:
        """Names for the blocks of a request that begins with `runs`, and how many of them others may hold too.

        The blocks after the runs are `request`'s own.
        """
        own = (OWN, -(request + 1) * OWN)
        if not runs:
            return (own,), 0
        return (*self._segments(runs), own), runs[-1].end // self._block_size

    def forget(self, runs: tuple[Run, ...]) -> None:
        """Drop the last of the runs, of content that no request will ever begin with again."""
        node = start = 0
        for run in runs[:-1]:
            found = self._nodes.get((node, start, run.label))
            if found is None:
                return
            node, start = found, run.end
        if runs:
            self._nodes.pop((node, start, runs[-1].label), None)

    def _segments(self, runs: tuple[Run, ...]) -> Iterator[tuple[int, int]]:
        node = start = 0
        for run in runs:
            # a block belongs to the run its last token lies in
            key = (node, start, run.label)
            if key not in self._nodes:
                self._made += 1
                self._nodes[key] = self._made
            node = self._nodes[key]
            start = run.end
            if start >= self._block_size:
                yield start // self._block_size, node * OWN
