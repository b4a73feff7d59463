"""Run the scheduler on requests whose arrival is given in steps."""

from collections.abc import Callable, Iterable, Iterator

from .limits import Work
from .request import Request
from .scheduler import Scheduler
from .step import Step

__all__ = ["Arrivals", "replay"]

Arrivals = Iterable[tuple[int, Work]]
"""``(step, request)``: it arrives just before that step is scheduled, or right after the one listed before it."""


def replay(
    scheduler: Scheduler, arrivals: Arrivals, *, watch: Callable[[Step], None] | None = None, stepwise: bool = False
) -> Iterator[Request]:
    """Run until everything has ended, yielding each request when its last token is sampled.

    Nothing but what is in the system is kept, so the arrivals may be without end.

    Args:
        watch: called with each step or stretch; the object is filled again for the next.
        stepwise: take every step by itself, as a check on coasting: nothing else changes.

    Raises:
        CannotSchedule: a request is one vLLM would refuse or wait on for ever.
    """
    queue = iter(arrivals)
    coming = next(queue, None)
    while coming is not None or scheduler.unfinished:
        while coming is not None and coming[0] <= scheduler.now:
            scheduler.add(coming[1])
            coming = next(queue, None)
        quiet = 0 if stepwise else scheduler.quiet()
        if quiet and coming is not None:
            quiet = min(quiet, coming[0] - scheduler.now)
        step = scheduler.coast(quiet) if quiet else scheduler.step()
        if watch is not None:
            watch(step)
        yield from step.ended
