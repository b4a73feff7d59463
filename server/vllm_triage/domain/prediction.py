"""What a deployment is predicted to do under a workload, with honest bounds."""

from typing import Literal

from .base import Noun, Words
from .memory import Interval

__all__ = ["Difference", "Latency", "Moment", "Prediction"]


class Latency(Noun):
    """One latency, ms, each figure with its 80% interval."""

    mean: Interval
    p50: Interval
    p99: Interval


class Moment(Noun):
    """The state of the server at one time of the simulation; all replicas together."""

    at_s: float
    running: float
    waiting: float
    kv_usage: float
    """0 to 1."""
    output_tok_s: float


class Prediction(Noun):
    """Latency, throughput and occupancy of one deployment under one workload. Rates are of all replicas together."""

    ttft_ms: Latency
    itl_ms: Latency
    tpot_ms: Latency
    e2e_ms: Latency
    output_tok_s: Interval
    total_tok_s: Interval
    request_rate: Interval
    running: float
    """Mean over time, as are the next two."""
    waiting: float
    kv_usage: float
    running_peak: int = 0
    waiting_peak: int = 0
    kv_usage_peak: float = 0.0
    preemptions: int = 0
    recomputed_tokens: int = 0
    prefix_hit_rate: float | None = None
    """Share of prompt tokens found in the prefix cache; None where it is off."""
    requests: int
    """Simulated to their end."""
    duration_s: float
    """Of simulated time."""
    overloaded: bool = False
    """True when requests come faster than they are served: the queue grows without end and TTFT with it."""
    timeline: tuple[Moment, ...] = ()
    basis: Literal["calibrated", "predicted"]
    fit: str = ""
    """How well the calibrated cost model reproduces the measured point, in words."""
    assumptions: Words = ()
    not_modelled: Words = ()


class Difference(Noun):
    """One figure under two configurations of the same deployment and traffic. What the model gets wrong about both
    alike cancels out in `ratio`, so it is known better than either figure."""

    metric: str
    """Name as in the metrics contract, such as ``ttft_ms_p99``; or ``waiting``, ``kv_usage``, ``preemptions``."""
    before: float
    after: Interval
    ratio: Interval | None = None
    """After over before; None where there was nothing before to divide by."""
