"""From what was measured in the simulation to the figures that travel."""

from collections.abc import Sequence

from ...domain import Interval, Latency, Moment, Prediction, Workload
from ..cost import Band, CostModel
from .histogram import Histogram
from .meter import Meter
from .settle import Settling

__all__ = ["prediction_of"]


def prediction_of(
    meter: Meter, settling: Settling, costs: CostModel, workload: Workload, scale: float, *, caching: bool,
    notes: Sequence[str], not_modelled: Sequence[str],
) -> Prediction:  # fmt: skip
    """The prediction for all replicas: rates and counts of one, times `scale`."""
    bands = costs.bands
    seconds = meter.elapsed / 1000
    output = scale * meter.produced / seconds
    prompts = scale * meter.prompts / seconds
    waits = max(0.0, meter.in_system - meter.running)
    band = _rate_band(workload, bands.throughput, held_up=settling.overloaded or waits > meter.running)
    filling = settling.overloaded and workload.arrivals == "open"  # fewer end in the time than are served in it
    unseen = _unseen_wait_ms(meter, workload)
    if unseen:
        notes = (*notes, "not every user had a turn in the simulation: TTFT is users over throughput, by Little's law")
    return Prediction(
        ttft_ms=_latency(meter.ttft, bands.ttft, unseen),
        itl_ms=_latency(meter.itl, bands.itl),
        tpot_ms=_latency(meter.tpot, bands.tpot),
        e2e_ms=_latency(meter.e2e, _of_both(meter, bands.ttft, bands.tpot), unseen),
        output_tok_s=_interval(output, band),
        total_tok_s=_interval(output + prompts, band),
        request_rate=_interval(output / workload.output.mean if filling else scale * meter.requests / seconds, band),
        running=scale * meter.running,
        waiting=scale * waits,
        kv_usage=meter.kv_usage,
        running_peak=round(scale * meter.running_peak),
        waiting_peak=round(scale * meter.waiting_peak),
        kv_usage_peak=meter.kv_peak,
        preemptions=round(scale * meter.preempted),
        recomputed_tokens=round(scale * meter.recomputed),
        prefix_hit_rate=meter.cached / meter.prompts if caching and meter.prompts else None,
        requests=meter.requests,
        duration_s=seconds,
        overloaded=settling.overloaded,
        timeline=tuple(
            Moment(at_s=at, running=scale * running, waiting=scale * waiting, kv_usage=used, output_tok_s=scale * rate)
            for at, running, waiting, used, rate in meter.moments()
        ),
        basis=costs.basis,
        fit=costs.fit,
        assumptions=(*costs.assumptions, *workload.notes, *notes),
        not_modelled=tuple(not_modelled),
    )


UNSEEN = 1.5
"""Little's law and the simulated stay apart by this factor: the simulation ended before everybody's turn came."""


def _unseen_wait_ms(meter: Meter, workload: Workload) -> float:
    """What a request of a closed loop waits beyond what those simulated to their end did: users over throughput tell."""
    closed = workload.arrivals == "closed" and workload.turns == 1 and not workload.think_s
    if not closed or workload.requests is not None or not workload.concurrency or not meter.produced:
        return 0.0
    stay = workload.concurrency * meter.elapsed * workload.output.mean / meter.produced
    return stay - meter.e2e.mean if stay > UNSEEN * meter.e2e.mean else 0.0


def _latency(times: Histogram, band: Band, more: float = 0.0) -> Latency:
    half, late = times.percentiles(0.5, 0.99)
    return Latency(
        mean=_interval(times.mean + more, band), p50=_interval(half + more, band), p99=_interval(late + more, band)
    )


def _interval(value: float, band: Band) -> Interval:
    return Interval(low=value * band[0], mid=value, high=value * band[1])


def _of_both(meter: Meter, first: Band, rest: Band) -> Band:
    """The band of a time that is TTFT and decoding, by what each contributes."""
    whole = meter.e2e.mean
    share = min(1.0, meter.ttft.mean / whole) if whole else 1.0
    low, high = (share * a + (1 - share) * b for a, b in zip(first, rest, strict=True))
    return low, high


def _rate_band(workload: Workload, band: Band, *, held_up: bool) -> Band:
    """Open traffic that is served at all is served at the rate it comes; only near overload is that in doubt."""
    if workload.arrivals != "open":
        return band
    return (band[0], band[1]) if held_up else (1.0, 1.0)
