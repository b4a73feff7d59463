"""What is measured while the clock runs: distributions, sums and peaks, in memory that does not grow.

Times are ms. Until :meth:`Meter.begin` is called everything counts; after it, what happens from then on.
"""

from ..scheduler import Limits, Phase, Request, Step
from .histogram import Histogram
from .timeline import Sums, Timeline

__all__ = ["Meter"]


class Meter:
    """Figures of one engine."""

    __slots__ = (
        "_ahead", "_arrivals", "_arrived_at", "_base", "_blocks", "_due", "_ended_at", "_ending", "_pace", "_running_ms",
        "_tokens", "_used_ms", "_waiting_ms", "arrived_all", "begun", "cached", "e2e", "ended_all", "itl", "kv_peak", "now",
        "preempted", "preemptions", "prompts", "recomputed", "requests", "running_peak", "started", "system", "timeline",
        "tpot", "ttft", "waiting_now", "waiting_peak",
    )  # fmt: skip

    def __init__(self, limits: Limits) -> None:
        self._blocks = limits.num_blocks - 1
        self._pace = 1 + limits.accepted_tokens
        self._ahead = limits.async_scheduling
        self.ttft, self.itl, self.tpot, self.e2e = Histogram(), Histogram(), Histogram(), Histogram()
        self.timeline = Timeline()
        self._due = self.timeline.due
        self.now = 0.0
        self._running_ms = self._waiting_ms = self._used_ms = self._tokens = 0.0
        """Sums since the start."""
        self.preemptions = 0
        """Since the start."""
        self.arrived_all = 0
        self.ended_all = 0
        self.waiting_now = 0
        self._ending = 0
        """Requests still in the running list although their last token is sampled."""
        self.begin(0.0)

    def begin(self, at: float) -> None:
        """Count from here on."""
        self.begun = at
        self._base = self._sums()
        self.system = self.arrived_all - self.ended_all
        """Requests in the system at that time."""
        for histogram in (self.ttft, self.itl, self.tpot, self.e2e):
            histogram.clear()
        self.requests = self.prompts = self.cached = self.started = self.preempted = self.recomputed = 0
        self._arrivals = 0
        self._arrived_at = self._ended_at = 0.0
        self.running_peak = self.waiting_peak = 0
        self.kv_peak = 0.0

    def _sums(self) -> Sums:
        return self.now, self._running_ms, self._waiting_ms, self._used_ms, self._tokens

    # ------------------------------------------------------------------------------------------------- what happens

    def arrived(self, at: float) -> None:
        """A request reached the engine."""
        self.arrived_all += 1
        self._arrivals += 1
        self._arrived_at += at

    def idle(self, start: float, end: float) -> None:
        """Nothing was in the system from `start` to `end`."""
        for at in (start, end):
            self.now = at
            self._ending = 0
            if at >= self._due:
                self._sample()

    def ending_seen(self) -> None:
        """The requests whose last token was sampled have left the running list."""
        self._ending = 0

    def step(self, step: Step, start: float, end: float, first: float, free: int) -> None:
        """A step or a stretch was taken; `first` is the time of the first of the steps, `free` blocks were free before."""
        took = end - start
        if gaps := step.decodes:
            if step.count == 1:
                self.itl.add(took, gaps)
                if step.held:
                    self.itl.total += step.held * took
            else:
                self.itl.add_rising(first, took, step.count, gaps)
            self._tokens += gaps * step.count * self._pace
        if step.chunks:
            self._tokens += self._chunks(step)
        running = step.running - self._ending
        self._ending = len(step.ended) if self._ahead else 0
        self._running_ms += running * took
        if running > self.running_peak:  # noqa: PLR1730 (a call of max costs more, and this is called for every step)
            self.running_peak = running
        waiting = self.waiting_now = step.waiting
        if waiting:
            self._waiting_ms += waiting * took
            self.waiting_peak = max(self.waiting_peak, waiting)
        blocks = self._blocks
        self._used_ms += (1 - (free + step.free) / 2 / blocks) * took
        self.kv_peak = max(self.kv_peak, 1 - step.free / blocks)
        self.now = end
        if end >= self._due:
            self._sample()

    def _sample(self) -> None:
        self.timeline.sample(self._sums())
        self._due = self.timeline.due

    def _chunks(self, step: Step) -> int:
        """Count the prefills of a step; the tokens sampled by those that were completed."""
        sampled = len(step.first)
        for request, tokens, before in step.chunks:
            if request.cached < 0:
                request.cached = before
            if request.preemptions:
                self.recomputed += tokens * step.count
                sampled += request.phase is not Phase.PREFILL and request.first_token != step.number
        return sampled

    def preempt(self, requests: int) -> None:
        """Requests were preempted."""
        self.preemptions += requests
        self.preempted += requests

    def first_token(self, request: Request, ttft: float) -> None:
        """A request got its first token."""
        self.ttft.add(ttft)
        self.prompts += request.prompt
        self.cached += request.cached
        self.started += 1

    def ended(self, request: Request, end: float, e2e: float) -> None:
        """A request got its last token."""
        self.ended_all += 1
        self.requests += 1
        self._ended_at += end
        self.e2e.add(e2e)
        if request.output > 1:
            self.tpot.add((end - request.first_at) / (request.output - 1))

    # -------------------------------------------------------------------------------------------------- what came out

    @property
    def elapsed(self) -> float:
        """ms measured."""
        return self.now - self.begun

    @property
    def produced(self) -> float:
        """Tokens sampled."""
        return self._tokens - self._base[4]

    @property
    def running(self) -> float:
        """Mean of the requests running, over time."""
        return (self._running_ms - self._base[1]) / self.elapsed if self.elapsed else 0.0

    @property
    def in_system(self) -> float:
        """Mean of the requests between arrival and last token, over time."""
        if not self.elapsed:
            return 0.0
        came = self._arrivals * self.now - self._arrived_at
        went = self.requests * self.now - self._ended_at
        return self.system + (came - went) / self.elapsed

    @property
    def kv_usage(self) -> float:
        """Mean share of the blocks in use, over time."""
        return (self._used_ms - self._base[3]) / self.elapsed if self.elapsed else 0.0

    def moments(self) -> list[tuple[float, float, float, float, float]]:
        """The state over time: see :meth:`.timeline.Timeline.moments`."""
        return self.timeline.moments(self._sums())
