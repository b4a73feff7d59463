"""The steps in which not everyone gets their due, and the order of the running list decides who does.

Either the KV pool is too small for what the running requests need, and some are preempted: the last of the list, or
the one of lowest priority. Or the token budget is spent before the list ends.
"""

from typing import TYPE_CHECKING

from .preemption import preempt, refuse_if_alone
from .request import Phase, Request

if TYPE_CHECKING:
    from .scheduler import Scheduler
    from .step import Step

__all__ = ["ration_blocks", "walk_the_list"]


def ration_blocks(scheduler: "Scheduler", step: "Step", plan: list[tuple[Request, int]]) -> None:
    """First come, first served, and the budget is enough for `plan` and the decoding requests: only blocks are short.

    Then only the requests that need a block matter; in the order of the list, each may cost the last of it its place.
    """
    cohort, pool = scheduler.cohort, scheduler.pool
    chunks = dict(plan)
    needing = {*cohort.starting(scheduler.ticks, scheduler.stride), *cohort.growing.values(), *chunks}
    for request in sorted(needing, key=lambda request: request.seat):
        if request.phase is Phase.WAITING:
            continue  # preempted while those ahead of it were served
        tokens = chunks.get(request, scheduler.width)
        blocks = scheduler.blocks_of(request, tokens)
        if not _last_ones_go(scheduler, step, request, blocks):
            break
        pool.take(blocks)
        if request.phase is Phase.PREFILL:
            step.chunks.append((request, tokens, request.computed))
            request.computed += tokens
        pool.cache(request, scheduler.known(request))
    step.decodes = cohort.size
    step.context = cohort.bases + cohort.size * scheduler.ticks
    if scheduler.tracing:
        step.order = scheduler.order(plan)


def _last_ones_go(scheduler: "Scheduler", step: "Step", request: Request, blocks: int) -> bool:
    """Preempt from the end of the list until `blocks` blocks are free; False when `request` itself had to go."""
    running = scheduler.running
    while blocks > scheduler.pool.free:
        refuse_if_alone(scheduler, request)
        victim = running[next(reversed(running))]
        preempt(scheduler, victim)
        step.preempted.append(victim)
        if victim is request:
            return False
    return True


def walk_the_list(scheduler: "Scheduler", step: "Step", threshold: int) -> int:
    """Schedule the running requests one by one, as vLLM does; the budget that is left."""
    walk = _Walk(scheduler, step)
    walk.run(threshold)
    walk.settle()
    return walk.left


class _Walk:
    """One walk over the running list."""

    __slots__ = ("index", "left", "running", "scheduled", "scheduler", "step")

    def __init__(self, scheduler: "Scheduler", step: "Step") -> None:
        self.scheduler = scheduler
        self.step = step
        self.running = list(scheduler.running.values())
        self.index = 0
        self.left = scheduler.limits.max_num_batched_tokens
        self.scheduled: dict[Request, int] = {}
        """Tokens by request, in the order of scheduling."""

    def run(self, threshold: int) -> None:
        """Schedule until the list, the budget or the pool ends."""
        scheduler = self.scheduler
        by_priority = scheduler.limits.policy == "priority"
        while self.index < len(self.running) and self.left > 0:
            request = self.running[self.index]
            if request.phase is Phase.ENDING:
                self.index += 1
                continue
            tokens = scheduler.width if request.phase is Phase.DECODE else request.goal - request.computed
            if request.phase is Phase.PREFILL and 0 < threshold < tokens:
                tokens = threshold
            tokens = min(tokens, self.left)
            blocks = scheduler.blocks_of(request, tokens)
            if not self._make_room(request, blocks):
                if by_priority and scheduler.rules.go_on_after_own_preemption:
                    continue
                break
            scheduler.pool.take(blocks)
            if request.phase is Phase.PREFILL:
                request.computed += tokens
            scheduler.pool.cache(request, scheduler.known(request))
            self.scheduled[request] = tokens
            self.left -= tokens
            self.index += 1

    def _make_room(self, request: Request, blocks: int) -> bool:
        """Preempt until `blocks` blocks are free; False when `request` itself had to go."""
        scheduler = self.scheduler
        while blocks > scheduler.pool.free:
            refuse_if_alone(scheduler, request)
            victim = self._take_victim()
            tokens = self.scheduled.pop(victim, 0)
            self.left += tokens
            if victim.phase is Phase.PREFILL:
                victim.computed -= tokens
            preempt(scheduler, victim, tokens)
            self.step.preempted.append(victim)
            if victim is request:
                return False
        return True

    def _take_victim(self) -> Request:
        """Take the next to be preempted out of the list, and keep the place in it."""
        if self.scheduler.limits.policy == "fcfs":
            return self.running.pop()
        victim = max(self.running, key=lambda request: (request.priority, request.number))
        place = self.running.index(victim)
        del self.running[place]
        before = place < self.index if self.scheduler.rules.keep_place_after_any_victim else victim in self.scheduled
        self.index -= before
        return victim

    def settle(self) -> None:
        """Record what was scheduled, and hold back the decoding requests that were not reached."""
        scheduler, step = self.scheduler, self.step
        ticks, cohort = scheduler.ticks, scheduler.cohort
        step.decodes = step.context = 0
        for request, tokens in self.scheduled.items():
            if request.phase is Phase.DECODE:
                step.decodes += 1
                step.context += request.base + ticks
            else:
                step.chunks.append((request, tokens, request.computed - tokens))
        for request in self.running:
            if request.phase is Phase.DECODE and request not in self.scheduled:
                if request.seat in cohort.growing:  # what it computed before becomes known all the same
                    scheduler.pool.cache(request, request.base + ticks)
                cohort.hold_back(request, scheduler.stride)
                step.held += 1
        if scheduler.tracing:
            step.order = list(self.scheduled.items())
