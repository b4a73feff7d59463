"""What the traffic asks for: how long its requests are, how many come or stay."""

from dataclasses import dataclass
from math import ceil, exp, log1p, sqrt

from ...domain import Lengths, Workload

__all__ = ["Demand", "demand_of", "longest", "sampled"]

TAIL_SIGMAS = 3.09
"""Standard deviations that leave one request in a thousand out, for lengths without an upper end."""

MOST_ROWS = 1000
"""Requests of a trace that configurations are compared on."""

TAIL_MEANS = 6.9
"""The same for exponential lengths, in means."""


@dataclass(frozen=True, slots=True)
class Demand:
    """One workload in the few figures that arithmetic needs. Lengths are means, tokens."""

    computed: float
    """Prompt tokens a request makes the server compute: without a shared prefix, which the cache holds."""
    prompt: float
    """Prompt tokens a request holds, over its turns on average."""
    output: float
    longest: int
    """Tokens of the longest request, all turns together."""
    users: float | None
    """Requests in the system at once, where that is given."""
    rate: float | None
    """Requests per second, where that is given."""

    @property
    def held(self) -> float:
        """Tokens a running request holds on average."""
        return self.prompt + self.output / 2


def demand_of(workload: Workload, *, cached: bool) -> Demand:
    """The figures of a workload. `cached` says whether prefix caching is on."""
    if workload.arrivals == "trace":
        return _of_trace(workload)
    turn, output = workload.input.mean, workload.output.mean
    before = (workload.turns - 1) / 2 * (turn + output)  # a conversation so far, on average over its turns
    prefix = min(workload.shared_prefix_tokens, turn)
    users = workload.concurrency if workload.arrivals != "at_once" else workload.requests
    rate = workload.request_rate * workload.turns if workload.request_rate else None
    return Demand(
        computed=max(1.0, turn - prefix if cached else turn + before),
        prompt=turn + before,
        output=output,
        longest=ceil(workload.turns * (longest(workload.input) + longest(workload.output))),
        users=users if workload.arrivals in ("closed", "at_once") else None,
        rate=rate if workload.arrivals == "open" else None,
    )


def _of_trace(workload: Workload) -> Demand:
    rows = workload.trace
    count = len(rows)
    prompt = sum(row.input_tokens for row in rows) / count
    span = max(row.at_s for row in rows) - min(row.at_s for row in rows)
    return Demand(
        computed=max(1.0, prompt),
        prompt=prompt,
        output=max(1.0, sum(row.output_tokens for row in rows) / count),
        longest=max(row.input_tokens + row.output_tokens for row in rows),
        users=None if span > 0 else float(count),
        rate=(count - 1) / span if span > 0 and count > 1 else None,
    )


def sampled(workload: Workload) -> Workload:
    """The workload as it is simulated to compare configurations: no longer than that takes.

    A trace keeps its busiest stretch of :data:`MOST_ROWS` requests: a plan has to hold there. Traffic that goes on ends
    once its figures settle, whatever number of requests it was given with.
    """
    if workload.arrivals in ("closed", "open"):
        return workload.but(requests=None)
    rows = sorted(workload.trace, key=lambda row: row.at_s)
    if len(rows) <= MOST_ROWS:
        return workload
    first = min(range(len(rows) - MOST_ROWS + 1), key=lambda i: rows[i + MOST_ROWS - 1].at_s - rows[i].at_s)
    said = f"of {len(rows):,} requests of the trace the busiest {MOST_ROWS:,} in a row were simulated"
    return workload.but(trace=tuple(rows[first : first + MOST_ROWS]), notes=(*workload.notes, said))


def longest(lengths: Lengths) -> float:
    """The longest of the lengths, or where there is no end the length one in a thousand passes, tokens."""
    if lengths.shape == "empirical" and lengths.values:
        return float(max(lengths.values))
    if lengths.shape == "uniform":
        return lengths.mean * (1 + lengths.spread)
    if lengths.shape == "exponential":
        return lengths.mean * TAIL_MEANS
    if lengths.shape == "lognormal":
        variance = log1p(lengths.spread**2)
        return lengths.mean * exp(TAIL_SIGMAS * sqrt(variance) - variance / 2)
    return lengths.mean
