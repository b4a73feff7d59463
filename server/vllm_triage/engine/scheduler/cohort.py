"""The requests that decode: they advance in lockstep, so a step is arithmetic on their number.

Each computes one token a tick, and a step is a tick (or more, see :mod:`.pace`). Before tick `t` a member has computed
``base + t`` tokens, with `base` fixed while it is a member, so nothing is touched per step. What a step needs to know is
kept as two small structures: the members that start a new KV block in the ticks of each residue modulo the block size,
and a heap of last steps.
"""

from heapq import heappop, heappush
from itertools import chain

from .pace import Pace
from .request import Phase, Request

__all__ = ["NEVER", "Cohort"]

NEVER = 1 << 62
"""A step that does not come."""


class Cohort:
    """The decoding requests."""

    __slots__ = ("_block_size", "_counts", "_finals", "_starts", "bases", "growing", "pace", "size")

    def __init__(self, block_size: int, pace: Pace) -> None:
        self._block_size = block_size
        self.pace = pace
        self._starts: list[dict[int, Request]] = [{} for _ in range(block_size)]
        """By seat, the members that start a block in the ticks whose number is congruent to the index."""
        self._counts = [0] * block_size
        """How many those are."""
        self._finals: list[tuple[int, int, Request]] = []
        """Heap of (last step, seat, member). An entry is stale unless it is what the member says of itself."""
        self.size = 0
        self.bases = 0
        """Sum of the members' bases: they have computed ``bases + size * tick`` tokens together before `tick`."""
        self.growing: dict[int, Request] = {}
        """By seat, members whose next full blocks others may look for."""

    def join(self, request: Request, step: int) -> None:
        """Let a request, whose known tokens are all computed, decode from `step` on."""
        request.phase = Phase.DECODE
        request.ready = request.goal
        if request.work.overlaps and request.explicit > request.goal // self._block_size:
            self.growing[request.seat] = request
        self.size += 1
        self._place(request, request.goal - self.pace.ticks(step))

    def _place(self, request: Request, base: int) -> None:
        request.base = base
        self.bases += base
        residue = -base % self._block_size
        self._starts[residue][request.seat] = request
        self._counts[residue] += 1
        request.final = self.pace.step_of(request.total - 1 - base)
        heappush(self._finals, (request.final, request.seat, request))

    def _lift(self, request: Request) -> None:
        residue = -request.base % self._block_size
        del self._starts[residue][request.seat]
        self._counts[residue] -= 1

    def leave(self, request: Request) -> None:
        """Take a member out."""
        self.size -= 1
        self.bases -= request.base
        self._lift(request)
        request.final = -1
        self.growing.pop(request.seat, None)

    def hold_back(self, request: Request, ticks: int) -> None:
        """Let a member miss as many ticks."""
        self.bases -= request.base
        self._lift(request)
        self._place(request, request.base - ticks)

    def _between(self, first: int, ticks: int) -> list[dict[int, Request]]:
        """The members that start a block in each of the ticks from `first` on; all of them in a full round."""
        if ticks >= self._block_size:
            return self._starts
        first %= self._block_size
        past = first + ticks - self._block_size
        here = self._starts[first : first + ticks]
        return here + self._starts[:past] if past > 0 else here

    def starts(self, first: int, ticks: int = 1) -> int:
        """Blocks the members need in `ticks` ticks from `first` on."""
        size, counts = self._block_size, self._counts
        first %= size
        if ticks == 1:
            return counts[first]
        rounds, ticks = divmod(ticks, size)
        past = first + ticks - size
        blocks = rounds * self.size + sum(counts[first : first + ticks])
        return blocks + sum(counts[:past]) if past > 0 else blocks

    def starting(self, first: int, ticks: int) -> list[Request]:
        """The members that need a block in those ticks."""
        return list(chain.from_iterable(members.values() for members in self._between(first, ticks)))

    def steps_covered(self, step: int, blocks: int, most: int) -> int:
        """Steps from `step` on, up to `most`, that `blocks` free blocks are enough for."""
        if not self.size:
            return most
        rounds, left = divmod(blocks, self.size)
        ticks = rounds * self._block_size
        if self.pace.even and ticks >= most:
            return most
        first = self.pace.ticks(step)
        enough = self.pace.ticks(step + most) - first
        while ticks < enough:
            left -= self._counts[(first + ticks) % self._block_size]
            if left < 0:
                return self.pace.step_of(first + ticks) - step
            ticks += 1
        return most

    def next_growth(self, *, late: bool) -> int:
        """The first step in which others can find another full block of some member; :data:`NEVER` for none.

        Args:
            late: whether what a step computes can be found only in the step after it.
        """
        first = NEVER
        for request in self.growing.values():
            place = len(request.blocks) + 1
            if place <= request.explicit:
                tick = place * self._block_size - 1 - request.base
                first = min(first, self.pace.step_of(tick) + late)
        return first

    def next_final(self) -> int:
        """The step that samples the last token of some member; :data:`NEVER` when there is none."""
        finals = self._finals
        while finals:
            final, seat, request = finals[0]
            if request.final == final and request.seat == seat:
                return final
            heappop(finals)
        return NEVER

    def take_final(self, step: int) -> list[Request]:
        """Take out the members whose last token `step` samples, in the order of their seats."""
        ending: list[Request] = []
        ticks = self.pace.ticks(step + 1)
        while self.next_final() == step:
            request = heappop(self._finals)[2]
            self.leave(request)
            request.computed = request.base + ticks
            ending.append(request)
        return ending
