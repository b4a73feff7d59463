"""The figures two predictions are compared by, and how well their ratio is known."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import log

from ...domain import Difference, Interval, Prediction, Workload
from ...engine.cost import Band, Bands

__all__ = ["METRICS", "NOTICEABLE", "Metric", "difference", "differences", "figure", "gain", "is_loop", "same"]

NOTICEABLE = 0.03
"""A ratio nearer to one than this is no difference: repeated benchmarks of one server differ as much."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure: its name in the metrics contract, its words, and where a prediction has it."""

    name: str
    words: str
    unit: str
    read: Callable[[Prediction], Interval]
    band: Callable[[Bands], Band]
    more_is_better: bool = False


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("ttft_ms_mean", "TTFT", "ms", lambda p: p.ttft_ms.mean, lambda b: b.ratio_ttft),
        Metric("ttft_ms_p99", "TTFT p99", "ms", lambda p: p.ttft_ms.p99, lambda b: b.ratio_ttft),
        Metric("itl_ms_mean", "ITL", "ms", lambda p: p.itl_ms.mean, lambda b: b.ratio_itl),
        Metric("itl_ms_p99", "ITL p99", "ms", lambda p: p.itl_ms.p99, lambda b: b.ratio_itl),
        Metric("tpot_ms_mean", "TPOT", "ms", lambda p: p.tpot_ms.mean, lambda b: b.ratio_tpot),
        Metric("output_tok_s", "throughput", "tok/s", lambda p: p.output_tok_s, lambda b: b.ratio_throughput, True),
        Metric("total_tok_s", "total throughput", "tok/s", lambda p: p.total_tok_s, lambda b: b.ratio_throughput, True),
        Metric("request_rate", "requests", "req/s", lambda p: p.request_rate, lambda b: b.ratio_throughput, True),
    )
}
"""In the order they are told."""


def figure(prediction: Prediction, metric: str) -> Interval:
    """The predicted figure `metric`."""
    return METRICS[metric].read(prediction)


def difference(
    metric: str, before: Prediction, after: Prediction, bands: Bands, anchor: float | None = None, *, looped: bool = False,
    strayed: bool = False,
) -> Difference:  # fmt: skip
    """One figure under both configurations.

    Errors the two share cancel in the ratio, so the figure after the change is the one before it times the ratio.

    Args:
        metric: a name of :data:`METRICS`.
        before: of the launch as it is.
        after: of the changed launch.
        bands: how well ratios are known.
        anchor: the figure as measured, where it was: better than the prediction of what is already known.
        looped: whether the traffic :func:`is_loop`.
        strayed: whether the prediction is far from the anchor: then the interval after the change holds both views.
    """
    had, gets = figure(before, metric).mid, figure(after, metric).mid
    if looped and METRICS[metric].more_is_better and before.e2e_ms.mean.mid > 0 and after.e2e_ms.mean.mid > 0:
        gets = had * before.e2e_ms.mean.mid / after.e2e_ms.mean.mid
    start = had if anchor is None else anchor
    if had <= 0:
        return Difference(metric=metric, before=start, after=Interval(low=gets, mid=gets, high=gets))
    ratio, (low, high) = gets / had, METRICS[metric].band(bands)
    if same(before, after):
        ratio = low = high = 1.0
    interval = Interval(low=ratio * low, mid=ratio, high=ratio * high)
    least, most = (min(start, had), max(start, had)) if strayed else (start, start)
    return Difference(
        metric=metric, before=start, ratio=interval,
        after=Interval(low=least * interval.low, mid=start * ratio, high=most * interval.high),
    )  # fmt: skip


def differences(
    before: Prediction, after: Prediction, bands: Bands, anchors: Mapping[str, float] | None = None, *, looped: bool = False,
    strayed: Collection[str] = (),
) -> tuple[Difference, ...]:  # fmt: skip
    """Every figure of :data:`METRICS`."""
    anchors = anchors or {}
    return tuple(
        difference(name, before, after, bands, anchors.get(name), looped=looped, strayed=name in strayed) for name in METRICS
    )


def is_loop(workload: Workload) -> bool:
    """True for a steady closed loop without pauses: requests a second are users over the time one stays (Little's law).

    That time settles long before a count of ends does, which a short run cuts in the middle of a wave of them.
    """
    steady = workload.arrivals == "closed" and workload.requests is None
    return steady and workload.turns == 1 and workload.think_s == 0


def same(before: Prediction, after: Prediction) -> bool:
    """True when both runs are the same to the last digit: nothing the change touches was ever met."""
    return before.duration_s == after.duration_s and before.ttft_ms == after.ttft_ms and before.itl_ms == after.itl_ms


def gain(metric: str, found: Difference) -> float:
    """How much better the figure gets: log of the improvement, positive is better, 0.1 is about 10%."""
    if found.ratio is None or found.ratio.mid <= 0:
        return 0.0
    return log(found.ratio.mid) if METRICS[metric].more_is_better else -log(found.ratio.mid)
