"""Preemption: a running request gives up its blocks and computes everything again later."""

from typing import TYPE_CHECKING

from .limits import CannotSchedule
from .request import Phase, Request

if TYPE_CHECKING:
    from .scheduler import Scheduler

__all__ = ["preempt", "refuse_if_alone"]


def preempt(scheduler: "Scheduler", victim: Request, tokens: int = 0) -> None:
    """Free a running request's blocks and let it wait, ahead of what arrived later.

    Args:
        tokens: what this step had already scheduled for it; it has slots for them.
    """
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


def refuse_if_alone(scheduler: "Scheduler", request: Request) -> None:
    """Raise CannotSchedule when nothing else runs: the request would be preempted by itself for ever."""
    if len(scheduler.running) == 1:
        blocks = scheduler.pool.total
        raise CannotSchedule(f"request {request.number} outgrows the whole KV pool of {blocks} blocks")
