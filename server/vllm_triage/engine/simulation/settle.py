"""When enough has been simulated.

Where the workload says how many requests are sent, all of them count, from the first to the drain of the last: that is
how ``vllm bench serve`` measures (0.33.0 benchmarks/serve.py calculate_metrics: over all outputs, rates over the time
from the first request to the last answer). Otherwise the figures are those of the steady state: the beginning does not
count, and it goes on until they do not move any more.
"""

from collections.abc import Callable
from itertools import pairwise
from math import sqrt

from ...domain import Workload
from .meter import Meter

__all__ = ["Settling"]

STEADY = {"ttft": 0.03, "rate": 0.01, "arrivals": 0.04}
"""Standard error, over the mean, at which a figure is steady: found from the means of batches of requests. For arrivals,
the difference from the rate."""

FEWEST_BATCHES = 4
GROWTH = 0.05
"""Share of the arrivals by which the requests in the system grow when it is overloaded, or not yet in its steady state."""

QUEUE = 0.1
"""Requests waiting for each that runs, from which on a growing number of requests is a growing queue."""


class Settling:
    """Decides, each time a request has ended, whether to go on."""

    __slots__ = (
        "_batch", "_expected", "_fixed", "_marks", "_meter", "_most", "_next", "_open", "_progress", "_rate", "_warm", "overloaded",
        "steady",
    )  # fmt: skip

    def __init__(
        self, workload: Workload, meter: Meter, at_most: int, progress: Callable[[float], None] | None
    ) -> None:
        self._meter = meter
        self._progress = progress
        self._open = workload.arrivals in ("open", "trace")
        self._rate = workload.request_rate if workload.arrivals == "open" and workload.request_rate else 0.0
        planned = len(workload.trace) if workload.arrivals == "trace" else workload.requests
        self._fixed = planned is not None
        self._most = planned if planned is not None else at_most
        crowd = workload.concurrency or 40
        self._batch = max(1, min(max(10, crowd), self._most // 12))
        self._warm = 0 if self._fixed else max(1, min(crowd * 3 // 2, self._most // 3))
        self._next = self._warm or max(1, self._most // 50)
        self._marks: list[tuple[float, float, float, float]] = []
        """At the end of each batch: time, sum and count of TTFT, tokens produced."""
        self.overloaded = False
        self.steady = False

    def goes_on(self) -> bool:
        """Whether more is to be simulated."""
        ended = self._meter.ended_all
        if ended < self._next:
            return True
        if self._progress is not None:
            self._progress(min(1.0, ended / self._most))
        if self._fixed:
            self._next = ended + max(1, self._most // 50)
            if self._open and self._meter.arrived_all < self._most:
                self.overloaded = self._grows() and self._queues()
            return True
        self._next = ended + self._batch
        meter, marks = self._meter, self._marks
        if not marks:
            meter.begin(meter.now)
        marks.append((meter.now, meter.ttft.total, meter.ttft.count, meter.produced))
        if len(marks) <= FEWEST_BATCHES:
            return True
        if self._open and self._grows():
            if len(marks) <= 2 * FEWEST_BATCHES and ended < self._most:
                return True
            full, self.overloaded = self.overloaded, self._queues()
            if ended < self._most and not (full and self.overloaded):
                marks.clear()  # the server was filling up: what was measured is not how it goes on
                return True
            return False
        self.overloaded = False
        self.steady = self._is_steady()
        return not self.steady and ended < self._most

    def _is_steady(self) -> bool:
        marks = self._marks
        ttft, rate = [], []
        for (from_ms, from_sum, from_count, from_tokens), (to_ms, to_sum, to_count, to_tokens) in pairwise(marks):
            if to_count > from_count:
                ttft.append((to_sum - from_sum) / (to_count - from_count))
            if to_ms > from_ms:
                rate.append((to_tokens - from_tokens) / (to_ms - from_ms))
        return _error(ttft) <= STEADY["ttft"] and (self._as_many() if self._rate else _error(rate) <= STEADY["rate"])

    def _as_many(self) -> bool:
        """Whether as many came as the rate says: chance must not have made the load another."""
        meter = self._meter
        due = self._rate * meter.elapsed / 1000
        return abs(self._came() - due) <= STEADY["arrivals"] * due

    def _came(self) -> int:
        """Requests that came since measuring began."""
        meter = self._meter
        return meter.arrived_all - meter.ended_all - meter.system + meter.requests

    def _grows(self) -> bool:
        """Whether more arrive than leave, since measuring began."""
        came = self._came()
        return came > 0 and (came - self._meter.requests) / came > GROWTH

    def _queues(self) -> bool:
        """Whether the requests that wait are many beside those that run: the server is full, not filling up."""
        return self._meter.waiting_now > QUEUE * self._meter.running


def _error(means: list[float]) -> float:
    """Standard error of the mean of batch means, over that mean."""
    count = len(means)
    if count < FEWEST_BATCHES:
        return 1.0
    mean = sum(means) / count
    if mean <= 0:
        return 0.0
    return sqrt(sum((value - mean) ** 2 for value in means) / (count - 1) / count) / mean
