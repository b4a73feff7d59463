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
        ticks, step = scheduler.cohort.pace.ticks, scheduler.now + bool(tokens)
        if victim.phase is Phase.DECODE:
            held = victim.base + ticks(step)
            victim.goal = victim.base + scheduler.ticks + 1
            scheduler.cohort.leave(victim)
        else:
            held = victim.computed
            victim.goal = victim.total + 1
        # with async scheduling what the step in flight computes is not known yet
        known = max(victim.ready, victim.base + ticks(step - 1)) if scheduler.limits.async_scheduling else held
        cached = min(known, held)
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
