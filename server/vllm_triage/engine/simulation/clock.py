"""The scheduler with a clock: requests arrive in time, steps take time, and quiet stretches are one event.

The engine's loop decides a step when the one before it has ended; with async scheduling already when the one before it
starts, so that an arrival waits a step longer (0.33.0 v1/engine/core.py EngineCore.step and step_with_batch_queue, which
fills its queue of two batches before it waits for an output).
"""

from collections.abc import Callable

from ..scheduler import Phase, Scheduler, Step
from .costs import StepCosts
from .decode_times import DecodeTimes
from .meter import Meter
from .traffic import NEVER, Traffic

__all__ = ["Clock"]

_STRAIGHT = 1e-9
"""Relative difference from a straight line that is none."""


class Clock:
    """One engine under traffic. :meth:`run` goes on until the traffic ends, or it is told to stop."""

    def __init__(
        self, scheduler: Scheduler, costs: StepCosts, traffic: Traffic, meter: Meter, *, stepwise: bool = False
    ) -> None:
        """Args:
        stepwise: take every step by itself, as a check on stretches: nothing else changes.
        """
        self.scheduler = scheduler
        self.costs = costs
        self.traffic = traffic
        self.meter = meter
        self.now = 0.0
        """ms; the end of the last step."""
        self._decided = 0.0
        """When the next step is decided: arrivals up to then are in it."""
        self._ahead = scheduler.limits.async_scheduling
        self._pace = 1 + scheduler.limits.accepted_tokens
        self._times = DecodeTimes(costs, scheduler.limits.max_model_len, self._pace)
        self._stepwise = stepwise

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Take events until nothing is left to do, asking `goes_on` after each in which a request ended."""
        scheduler, traffic = self.scheduler, self.traffic
        while True:
            while traffic.next_at <= self._decided:
                self._arrive()
            if scheduler.running or scheduler.waiting:
                if self._event() and not goes_on():
                    return
            elif traffic.next_at == NEVER:
                return
            else:
                self.meter.idle(self.now, traffic.next_at)
                self.now = self._decided = traffic.next_at

    def _arrive(self) -> None:
        at = self.traffic.next_at
        work, session, sent = self.traffic.take()
        request = self.scheduler.add(work)
        request.at = sent
        request.sender = session
        self.meter.arrived(at)

    def _event(self) -> bool:
        """Take a step or a stretch; True when a request ended."""
        scheduler, meter, start = self.scheduler, self.meter, self.now
        alone = not scheduler.prefilling
        quiet = 0 if self._stepwise or (alone and not scheduler.cohort.size) else scheduler.quiet()
        free = scheduler.pool.free
        if not quiet:
            step = scheduler.step()
            if not step.decodes and not step.chunks:
                self._decided = start  # nothing was computed: the outputs of the step in flight come first
                meter.ending_seen()
                return False
            first = took = self._one(step)
            before = 0.0
        elif not alone:
            count, first, took, before = self._chunks(quiet)
            step = scheduler.coast(count)
        else:
            count, first, took, before = self._decodes(quiet)
            step = scheduler.coast(count)
        end = self.now = start + took
        self._decided = start + before if self._ahead else end
        if step.preempted:
            meter.preempt(len(step.preempted))
            for request in step.preempted:
                if request.stalled_at < 0:  # not while it computes again what an earlier preemption took
                    request.stalled_at = start
        meter.step(step, start, end, first, free)
        for request in step.first:
            request.first_at = end
            meter.first_token(request, end - request.at)
        if step.chunks and meter.preemptions:
            self._resumed(step, end)
        for request in step.ended:
            meter.ended(request, end, end - request.at)
            if self.traffic.ended(request, end):
                scheduler.forget(request.work)
        return bool(step.ended)

    def _one(self, step: Step) -> float:
        """Time of a single step."""
        if step.chunks:
            chunks = [(tokens, before) for _, tokens, before in step.chunks]
            return self.costs.step_ms(step.decodes, step.context, chunks)
        return self._times.step(step.decodes, step.context)

    def _resumed(self, step: Step, end: float) -> None:
        """A preempted request that got a token again: its last gap is as long as it was away."""
        for request, _, _ in step.chunks:
            if request.stalled_at >= 0 and request.phase is not Phase.PREFILL:
                if request.first_at < end:
                    self.meter.itl.add(end - max(request.stalled_at, request.first_at))
                request.stalled_at = -1.0

    def _decodes(self, most: int) -> tuple[int, float, float, float]:
        """Of `most` quiet steps of decodes alone, those before the one the next arrival is in.

        Their number, the time of the first, of all, and of all but the last; that is needed, and right, only where
        something arrives before they end.
        """
        cohort, times = self.scheduler.cohort, self._times
        decodes = cohort.size
        context = cohort.bases + decodes * self.scheduler.ticks
        first = times.step(decodes, context)
        gap = self.traffic.next_at - self.now
        if most == 1 or (gap <= 0 and self._ahead) or (gap <= first and not self._ahead):
            return 1, first, first, 0.0
        if gap == NEVER:
            return most, first, times.stretch(decodes, context, most), 0.0
        if not self._ahead:
            steps, took = times.until(decodes, context, gap, most)
            return steps, first, took, 0.0
        # what arrives in a step is in the step after the next
        steps, before = times.until(decodes, context, gap, most - 1)
        last = times.step(decodes, round(context + steps * decodes * self._pace))
        return steps + 1, first, before + last, before

    def _chunks(self, most: int) -> tuple[int, float, float, float]:
        """The same of steps in which prompts are computed, chunk by equal chunk."""
        scheduler = self.scheduler
        run = _Chunked(self.costs, scheduler, self._pace)
        first = run.at(0)
        gap = self.traffic.next_at - self.now
        count = most
        if gap < NEVER and most > 1:
            low, high = 0, most  # as few steps as last until the arrival
            while low < high:
                middle = (low + high) // 2
                if gap <= 0 or (middle and run.total(middle) >= gap):
                    high = middle
                else:
                    low = middle + 1
            count = min(most, max(1, low + self._ahead))
        before = run.total(count - 1) if count > 1 else 0.0
        return count, first, before + run.at(count - 1), before


class _Chunked:
    """Times of equal steps in which prompts are computed."""

    __slots__ = ("_chunks", "_context", "_costs", "_decodes", "_growth")

    def __init__(self, costs: StepCosts, scheduler: Scheduler, pace: float) -> None:
        cohort = scheduler.cohort
        self._costs = costs
        self._decodes = cohort.size
        self._context = cohort.bases + cohort.size * scheduler.ticks
        self._growth = cohort.size * pace
        self._chunks = scheduler.planned()

    def at(self, step: int) -> float:
        """Time of one of the steps; the first is 0."""
        chunks = [(tokens, before + step * tokens) for tokens, before in self._chunks]
        return self._costs.step_ms(self._decodes, round(self._context + self._growth * step), chunks)

    def total(self, count: int) -> float:
        """Time of the first `count` steps."""
        return self._sum(0, self.at(0), count - 1, self.at(count - 1))

    def _sum(self, low: int, at_low: float, high: int, at_high: float) -> float:
        """Times of the steps from `low` to `high`. They rise in straight lines: where one ends, the sum is split."""
        if high - low < 2:
            return at_low if low == high else at_low + at_high
        middle = (low + high) // 2
        at_middle = self.at(middle)
        straight = at_low + (at_high - at_low) * (middle - low) / (high - low)
        if abs(at_middle - straight) <= _STRAIGHT * at_middle:
            return (high - low + 1) * (at_low + at_high) / 2
        return self._sum(low, at_low, middle, at_middle) + self._sum(middle + 1, self.at(middle + 1), high, at_high)
