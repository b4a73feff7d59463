"""The requests that decode: they advance in lockstep, so a step is arithmetic on their number.

Each computes one token a step. Before step `s` a member has computed ``base + s`` tokens, with `base` fixed while it is
a member, so nothing is touched per step. What a step needs to know is kept as two small structures: how many members
start a new KV block in the steps of each residue modulo the block size, and a heap of last steps.
"""

from collections.abc import Collection
from heapq import heappop, heappush

from .request import Phase, Request

__all__ = ["NEVER", "Cohort"]

NEVER = 1 << 62
"""A step that does not come."""


class Cohort:
    """The decoding requests."""

    __slots__ = ("_block_size", "_finals", "_starts", "bases", "growing", "size")

    def __init__(self, block_size: int) -> None:
        self._block_size = block_size
        self._starts: list[dict[int, Request]] = [{} for _ in range(block_size)]
        """By seat, the members that start a block in the steps whose number is congruent to the index."""
        self._finals: list[tuple[int, int, Request]] = []
        """Heap of (last step, seat, member). An entry is stale unless it is what the member says of itself."""
        self.size = 0
        self.bases = 0
        """Sum of the members' bases: they have computed ``bases + size * step`` tokens together before `step`."""
        self.growing: dict[int, Request] = {}
        """By seat, members whose next full blocks others may look for."""

    def join(self, request: Request, step: int) -> None:
        """Let a request, whose known tokens are all computed, decode from `step` on."""
        request.phase = Phase.DECODE
        request.ready = request.goal
        if request.work.overlaps and request.explicit > request.goal // self._block_size:
            self.growing[request.seat] = request
        self.size += 1
        self._place(request, request.goal - step)

    def _place(self, request: Request, base: int) -> None:
        request.base = base
        self.bases += base
        self._starts[-base % self._block_size][request.seat] = request
        request.final = request.total - 1 - base
        heappush(self._finals, (request.final, request.seat, request))

    def leave(self, request: Request) -> None:
        """Take a member out."""
        self.size -= 1
        self.bases -= request.base
        del self._starts[-request.base % self._block_size][request.seat]
        request.final = -1
        self.growing.pop(request.seat, None)

    def hold_back(self, request: Request) -> None:
        """Let a member miss one step."""
        self.bases -= request.base
        del self._starts[-request.base % self._block_size][request.seat]
        self._place(request, request.base - 1)

    def starts(self, step: int) -> int:
        """Blocks the members need in `step`."""
        return len(self._starts[step % self._block_size])

    def starting(self, step: int) -> Collection[Request]:
        """The members that need a block in `step`."""
        return self._starts[step % self._block_size].values()

    def starts_within(self, step: int, steps: int) -> int:
        """Blocks the members need in `steps` steps from `step` on."""
        rounds, rest = divmod(steps, self._block_size)
        first = step % self._block_size
        past = first + rest - self._block_size
        needed = rounds * self.size + sum(map(len, self._starts[first : first + rest]))
        return needed + sum(map(len, self._starts[:past])) if past > 0 else needed

    def steps_covered(self, step: int, blocks: int, most: int) -> int:
        """Steps from `step` on, up to `most`, that `blocks` free blocks are enough for."""
        if not self.size:
            return most
        rounds = blocks // self.size
        steps = rounds * self._block_size
        if steps >= most:
            return most
        left = blocks - rounds * self.size
        while steps < most:
            left -= len(self._starts[(step + steps) % self._block_size])
            if left < 0:
                break
            steps += 1
        return steps

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
        while self.next_final() == step:
            request = heappop(self._finals)[2]
            self.leave(request)
            ending.append(request)
        return ending
