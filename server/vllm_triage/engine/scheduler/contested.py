"""The step in which not everyone gets their due: the running list is walked, in order, as vLLM does.

Either the KV pool is too small for what the running requests need, and some are preempted: the last of the list, or
the one of lowest priority; or the token budget is spent before the list ends.
"""

from typing import TYPE_CHECKING

from .limits import CannotSchedule
from .request import Phase, Request
from .step import Step

if TYPE_CHECKING:
    from .scheduler import Scheduler

__all__ = ["contested_step"]


def contested_step(scheduler: "Scheduler", step: Step, threshold: int) -> int:
    """Schedule the running requests one by one; the budget that is left."""
    walk = _Walk(scheduler, step)
    walk.run(threshold)
    walk.settle()
    return walk.left


class _Walk:
    """One walk over the running list."""

    __slots__ = ("index", "left", "running", "scheduled", "scheduler", "step")

    def __init__(self, scheduler: "Scheduler", step: Step) -> None:
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
        now, size = scheduler.now, scheduler.limits.block_size
        while self.index < len(self.running) and self.left > 0:
            request = self.running[self.index]
            if request.phase is Phase.ENDING:
                self.index += 1
                continue
            if request.phase is Phase.DECODE:
                computed, tokens = request.base + now, 1
            else:
                computed, tokens = request.computed, request.goal - request.computed
                if 0 < threshold < tokens:
                    tokens = threshold
            tokens = min(tokens, self.left)
            blocks = -(-(computed + tokens) // size) + -computed // size
            if not self._make_room(request, blocks):
                if scheduler.rules.go_on_after_own_preemption and scheduler.limits.policy == "priority":
                    continue
                break
            scheduler.pool.take(blocks)
            known = scheduler.known(request) if request.phase is Phase.DECODE else computed + tokens
            scheduler.pool.cache(request, known)
            self.scheduled[request] = tokens
            self.left -= tokens
            self.index += 1

    def _make_room(self, request: Request, blocks: int) -> bool:
        """Preempt until `blocks` blocks are free; False when `request` itself had to go."""
        pool = self.scheduler.pool
        while blocks > pool.free:
            if len(self.running) == 1:
                raise CannotSchedule(f"request {request.number} outgrows the whole KV pool of {pool.total} blocks")
            victim = self._take_victim()
            self._preempt(victim)
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

    def _preempt(self, victim: Request) -> None:
        """Free a request's blocks and let it wait: all it has computed will be computed again."""
        scheduler = self.scheduler
        tokens = self.scheduled.pop(victim, 0)
        self.left += tokens
        if victim.phase is Phase.PREFILL:
            held = cached = victim.computed + tokens
            del scheduler.prefilling[victim.seat]
        else:
            if victim.phase is Phase.DECODE:
                victim.goal = victim.base + scheduler.now + 1
                scheduler.cohort.leave(victim)
            else:
                victim.goal = victim.total + 1
            held = victim.goal - 1 + tokens
            # with async scheduling the token of the step in flight is not known yet
            cached = max(victim.ready, held - 1) if scheduler.limits.async_scheduling else held
        scheduler.pool.release(victim, held, cached, keep=True)
        del scheduler.running[victim.seat]
        victim.phase = Phase.WAITING
        victim.computed = 0
        victim.preemptions += 1
        scheduler.waiting.put_back(victim)
        self.step.preempted.append(victim)

    def settle(self) -> None:
        """Record what was scheduled, and hold back the decoding requests that were not reached."""
        scheduler, step = self.scheduler, self.step
        decodes = context = 0
        for request, tokens in self.scheduled.items():
            if request.phase is Phase.DECODE:
                decodes += 1
                context += request.base + scheduler.now
            else:
                step.chunks.append((request, tokens, request.computed))
                request.computed += tokens
        step.decodes = decodes
        step.context = context
        for request in self.running:
            if request.phase is Phase.DECODE and request not in self.scheduled:
                if request.seat in scheduler.cohort.growing:
                    scheduler.pool.cache(request, request.base + scheduler.now)
                scheduler.cohort.hold_back(request)
        if scheduler.tracing:
            step.order = list(self.scheduled.items())
