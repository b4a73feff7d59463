"""When requests reach the engine: users who wait for their answers, a rate, a crowd at once, or a recorded trace.

Times are ms. Between a client sending a request and the scheduler knowing it lies the front end: `front_ms` on average, half
of it for everyone and the rest by chance (assumed). That chance matters: users of equal requests who finish together
would otherwise come back together for ever, and find each other's prompts in the same step, which real ones do not.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from heapq import heappop, heappush
from math import inf, log
from random import Random

from ...domain import Workload
from ..scheduler import Request, Run, Work
from .sessions import Session, Sessions

__all__ = ["NEVER", "Traffic", "traffic_of"]

NEVER = inf
"""The time of an arrival that does not come unless something ends."""


class Traffic:
    """Requests as they come. This one sends what is planned, and the further turns of conversations."""

    def __init__(self, sessions: Sessions, workload: Workload, front_ms: float) -> None:
        self.sessions = sessions
        self.next_at = NEVER
        """When the next request reaches the engine."""
        self._left = workload.requests if workload.requests is not None else NEVER
        """Requests that may still be sent."""
        self._front_ms = front_ms / 2
        self._chance = Random(f"{workload.seed} front")  # noqa: S311 - not secrets
        self._think_ms = 1000 * workload.think_s
        self._due: list[tuple[float, int, float, Work, Session | None]] = []
        """Heap of planned requests: when it reaches the engine, its number, when it is sent, the request and its user."""
        self._planned = 0

    def take(self) -> tuple[Work, Session | None, float]:
        """Take the request that reaches the engine at `next_at`: with its user, and when it was sent."""
        _, _, sent, work, session = heappop(self._due)
        self._look()
        return work, session, sent

    def _front(self) -> float:
        """Time a request spends in the front end."""
        # what Random.expovariate does, without the call
        return self._front_ms * (1 - log(1 - self._chance.random())) if self._front_ms else 0.0

    def ended(self, request: Request, at: float) -> bool:
        """Hear that a request has got its last token. True when a conversation is over with it."""
        session = request.sender
        goes_on = isinstance(session, Session) and self._next_turn(request, session, at)
        if not goes_on:
            self._over(at)
        self._look()
        return session is not None and not goes_on

    def _over(self, at: float) -> None:
        """A user has got all answers."""

    def _next_turn(self, request: Request, session: Session, at: float) -> bool:
        if self._left <= 0 or (work := self.sessions.then(session, request)) is None:
            return False
        self._plan(at + self._think_ms, work, session)
        return True

    def _plan(self, sent: float, work: Work, session: Session | None) -> None:
        self._left -= 1
        self._planned += 1
        heappush(self._due, (sent + self._front(), self._planned, sent, work, session))

    def _look(self) -> None:
        self.next_at = self._due[0][0] if self._due else NEVER


class Crowd(Traffic):
    """So many users from the start; with `again`, each who leaves is replaced at once.

    Users of equal requests who start together finish together, step by step, and come back together: a benchmark's first
    rounds are like that, a server that has run for a while is not. So where no number of requests is given, and the
    steady state is what is wanted, the first users, as many as are `seated`, are found somewhere on their way: with only
    a part of their answer still to come. The others wait for theirs whole.
    """

    def __init__(
        self, sessions: Sessions, workload: Workload, front_ms: float, *, users: int, again: bool, seated: int
    ) -> None:
        super().__init__(sessions, workload, front_ms)
        self._again = again
        first = min(users, seated) if again and workload.requests is None else 0
        parts = [(place + self._chance.random()) / first for place in range(first)]
        self._chance.shuffle(parts)
        for place in range(users):
            if self._left > 0:
                work, session = sessions.first()
                self._plan(0.0, _part(work, parts[place]) if place < first else work, session)
        self._look()

    def _come(self, at: float) -> None:
        if self._left > 0:
            self._plan(at, *self.sessions.first())

    def _over(self, at: float) -> None:
        if self._again:
            self._come(at)


class Stream(Traffic):
    """Users who come at a rate, whatever happens: gaps are gamma distributed as ``vllm bench serve`` draws them."""

    def __init__(self, sessions: Sessions, workload: Workload, front_ms: float) -> None:
        super().__init__(sessions, workload, front_ms)
        self._random = Random(f"{workload.seed} arrivals")  # noqa: S311 - not secrets
        self._shape = workload.burstiness
        self._scale = 1000 / (workload.request_rate or 1.0) / self._shape
        self._seats = workload.concurrency or NEVER
        """Requests the client has under way at most; others wait with the client, which no latency counts."""
        self._freed_at = 0.0
        """When the client last got a seat back that another was waiting for."""
        self._under_way = 0
        self._at = 0.0
        self._draw()
        self._look()

    def _draw(self) -> None:
        draw = self._random
        gap = -log(1 - draw.random()) if self._shape == 1 else draw.gammavariate(self._shape, 1.0)
        self._at += gap * self._scale

    def take(self) -> tuple[Work, Session | None, float]:
        if self._due and self._due[0][0] == self.next_at:
            return super().take()
        sent = self.next_at - self._front()  # a Poisson stream stays one when each is delayed by chance
        self._left -= 1
        self._draw()
        self._under_way += 1
        self._look()
        return *self.sessions.first(), sent

    def _over(self, at: float) -> None:
        if self._under_way == self._seats:
            self._freed_at = at + self._front()
        self._under_way -= 1

    def _look(self) -> None:
        free = self._left > 0 and self._under_way < self._seats
        self.next_at = max(self._at, self._freed_at) if free else NEVER
        if self._due and self._due[0][0] < self.next_at:
            self.next_at = self._due[0][0]


class Replay(Traffic):
    """The requests of a trace, at their times, with the content their blocks name."""

    def __init__(self, sessions: Sessions, workload: Workload, front_ms: float) -> None:
        super().__init__(sessions, workload, front_ms)
        rows = sorted(workload.trace, key=lambda row: row.at_s)
        if workload.requests is not None:
            rows = rows[: workload.requests]
        self.rows = len(rows)
        self._start = rows[0].at_s
        holders = Counter(block for row in rows for block in row.blocks)
        size = workload.trace_block_tokens
        self._works: Iterator[tuple[float, Work]] = iter(
            (
                1000 * (row.at_s - self._start),
                sessions.fit(row.input_tokens, row.output_tokens, _shared(row.blocks, holders, size, row.input_tokens)),
            )
            for row in rows
        )
        self._coming = next(self._works, None)
        self._look()

    def take(self) -> tuple[Work, Session | None, float]:
        assert self._coming is not None  # noqa: S101 - next_at said so
        at, work = self._coming
        self._coming = next(self._works, None)
        self._look()
        return work, None, at - self._front()

    def _look(self) -> None:
        self.next_at = NEVER if self._coming is None else self._coming[0]


def _part(work: Work, share: float) -> Work:
    """The request with a share of its answer."""
    return replace(work, output_tokens=max(1, round(share * work.output_tokens)))


def _shared(blocks: tuple[int, ...], holders: Counter[int], size: int, prompt: int) -> tuple[Run, ...]:
    """The leading blocks that some other request holds too: a block's id names everything up to its end."""
    runs: list[Run] = []
    for place, block in enumerate(blocks):
        if holders[block] < 2 or place * size >= prompt:
            break
        runs.append(Run(block, min((place + 1) * size, prompt)))
    return tuple(runs)


def traffic_of(workload: Workload, sessions: Sessions, front_ms: float, seated: int) -> Traffic:
    """The traffic of one replica's workload; `seated`: the requests that run at once at most."""
    if workload.arrivals == "trace":
        return Replay(sessions, workload, front_ms)
    if workload.arrivals == "open":
        return Stream(sessions, workload, front_ms)
    users = (workload.concurrency if workload.arrivals == "closed" else workload.requests) or 1
    return Crowd(sessions, workload, front_ms, users=users, again=workload.arrivals == "closed", seated=seated)
