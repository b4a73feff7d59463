"""The pool of KV blocks with prefix caching: what stays findable after it was freed, and for how long.

A block of vLLM is free, in use, or free and still cached: it is then handed out last-used-first-lost. Three things make
that order cheap to keep:

* A block without a cached prefix has no identity: they are counted.
* A cached block that nothing can ever look for (the unshared part of a request that has ended) has none either: a
  stretch of them in the order of eviction is a number.
* Only blocks some request may look for are objects: those of shared beginnings, and those of preempted requests.
"""

from collections import OrderedDict

from .request import Request

__all__ = ["Block", "PrefixCache"]


class Block:
    """A cached block with a name, held by `users` requests; free and evictable when that is 0."""

    __slots__ = ("name", "users")

    def __init__(self, name: int) -> None:
        self.name = name
        self.users = 1


class _Stretch:
    """Free blocks that stand together in the order of eviction and that nothing looks for."""

    __slots__ = ("blocks",)

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks


class PrefixCache:
    """Blocks with identity where it matters. Same methods as :class:`~.pool.BlockPool`."""

    __slots__ = ("_blank", "_blank_first", "_found", "_named", "_order", "_twins", "block_size", "free", "total")

    def __init__(self, blocks: int, block_size: int, *, blank_first: bool) -> None:
        self.block_size = block_size
        self.total = blocks
        self.free = blocks
        self._blank = blocks
        """Free blocks that are handed out before any in `_order`."""
        self._blank_first = blank_first
        self._order: OrderedDict[Block | _Stretch, None] = OrderedDict()
        """Other free blocks, next to be handed out first."""
        self._named: dict[int, Block] = {}
        """By name, the block cached first of those still cached."""
        self._twins: dict[int, list[Block]] = {}
        """Further blocks of the same name: vLLM does not merge what was computed twice."""
        self._found: list[Block] = []

    def find(self, request: Request, /) -> tuple[int, int]:
        """Full blocks of a request, from the first, that are cached, and how many of them are free now.

        The last token is always left to compute.
        """
        found = self._found = []
        if not request.explicit:
            return 0, 0
        most = min((request.goal - 1) // self.block_size, request.explicit)
        place = idle = 0
        for end, base in request.chain:
            for block in map(self._named.get, range(base + place, base + min(end, most))):
                if block is None:
                    return len(found), idle
                found.append(block)
                idle += not block.users
            place = len(found)
        return place, idle

    def adopt(self, request: Request, /) -> None:
        """Give a request the blocks the last :meth:`find`, which was for it, found."""
        for block in self._found:
            if not block.users:
                del self._order[block]
                self.free -= 1
            block.users += 1
        request.blocks = self._found
        self._found = []

    def take(self, blocks: int, /) -> None:
        """Hand out blocks, forgetting what the last-used of them hold; there must be that many free."""
        self.free -= blocks
        if blocks <= self._blank:
            self._blank -= blocks
            return
        blocks -= self._blank
        self._blank = 0
        order = self._order
        while blocks:
            oldest = next(iter(order))
            if isinstance(oldest, _Stretch):
                if oldest.blocks > blocks:
                    oldest.blocks -= blocks
                    return
                blocks -= oldest.blocks
            else:
                blocks -= 1
                self._forget(oldest)
            del order[oldest]

    def cache(self, request: Request, tokens: int, /) -> None:
        """Let others find the full blocks among the first tokens of a running request, if any other may look."""
        held = request.blocks
        place = len(held)
        if place >= request.explicit:
            return
        full = min(tokens // self.block_size, request.explicit)
        named = self._named
        for end, base in request.chain:
            while place < end and place < full:
                block = Block(base + place)
                if named.setdefault(block.name, block) is not block:
                    self._twins.setdefault(block.name, []).append(block)
                held.append(block)
                place += 1

    def release(self, request: Request, held: int, cached: int, /, *, keep: bool) -> None:
        """Take back all blocks of a request that has slots for `held` tokens, `cached` of them for others to find.

        They go tail first, so that the beginning is evicted last. `keep` when it was preempted: it will look for them.
        """
        full = cached // self.block_size
        if keep:
            request.explicit = max(request.explicit, full)
        self.cache(request, cached)
        blocks, request.blocks = request.blocks, []
        blank, nameless = -(-held // self.block_size) - full, full - len(blocks)
        self.free += blank + nameless
        if self._blank_first:
            self._blank += blank
            blank = 0
        self._put_last(blank + nameless)
        for block in reversed(blocks):
            block.users -= 1
            if not block.users:
                self._order[block] = None
                self.free += 1

    def _put_last(self, blocks: int) -> None:
        if not blocks:
            return
        newest = next(reversed(self._order), None)
        if isinstance(newest, _Stretch):
            newest.blocks += blocks
        else:
            self._order[_Stretch(blocks)] = None

    def _forget(self, block: Block) -> None:
        name = block.name
        twins = self._twins.get(name)
        if twins is None:
            del self._named[name]
            return
        if self._named[name] is block:
            self._named[name] = twins.pop(0)
        else:
            twins.remove(block)
        if not twins:
            del self._twins[name]
