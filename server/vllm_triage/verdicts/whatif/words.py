"""What a change does, in one line: ``TTFT p99 9.1 s -> 1.2 s (0.9-1.6), TPOT +8%``."""

from collections.abc import Collection, Iterable, Sequence
from math import log

from ...domain import Difference, Interval, Prediction
from .figures import METRICS, NOTICEABLE, same

__all__ = ["count_words", "effect_words", "noticed", "reason_words", "shown_figure"]

MOST_TOLD = 3
"""Figures named in one line."""

LARGE = 1.25
"""From this ratio on a change is told as before and after; below it in percent."""

FULL = 0.97
"""Share of the pool in use from which on it counts as full."""


def shown_figure(value: float, unit: str) -> str:
    """A figure with its unit: 9.1 s, 320 ms, 8.4 ms, 1,605 tok/s."""
    if unit == "ms" and value >= 1000:
        return f"{value / 1000:.3g} s" if value < 1_000_000 else f"{value / 1000:,.0f} s"
    return f"{_short(value)} {unit}"


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def noticed(found: Iterable[Difference]) -> list[Difference]:
    """The differences worth a word, the largest first."""
    told = [d for d in found if d.ratio is not None and d.ratio.mid > 0 and abs(d.ratio.mid - 1) > NOTICEABLE]
    return sorted(told, key=lambda d: -abs(log(d.ratio.mid)) if d.ratio else 0.0)


def effect_words(
    found: Sequence[Difference], before: Prediction, after: Prediction, first: Sequence[str] = (), strayed: Collection[str] = ()
) -> str:
    """The few differences that matter, those named in `first` in front; of those in `strayed` the percentage alone."""
    told = _one_of_each(noticed(found), first)
    if not told:
        return f"no difference: {reason_words(before, after)}"
    parts = [_difference(d, in_percent=d.metric in strayed) for d in told[:MOST_TOLD]]
    counts = count_words(before, after)
    return ", ".join([*parts, *([counts] if counts else [])])


_USUAL = ("ttft_ms_mean", "tpot_ms_mean", "itl_ms_p99", "output_tok_s")
"""The figure told of each kind where none was asked for."""


def _one_of_each(told: list[Difference], first: Sequence[str]) -> list[Difference]:
    """One figure of each kind (TTFT mean and P99 move together), those asked for before the largest."""
    wanted = [name for name in (*first, *_USUAL) if name in METRICS]
    kinds = dict.fromkeys(_kind(name) for name in wanted)
    chosen = {kind: next(name for name in wanted if _kind(name) == kind) for kind in kinds}
    kept = [d for d in told if d.metric in chosen.values()]
    return sorted(kept, key=lambda d: first.index(d.metric) if d.metric in first else len(first))


_KINDS = {"total_tok_s": "output", "request_rate": "output", "output_tok_s": "output", "itl_ms_mean": "tpot"}


def _kind(metric: str) -> str:
    return _KINDS.get(metric) or (metric if metric == "itl_ms_p99" else metric.partition("_")[0])


def _difference(d: Difference, *, in_percent: bool) -> str:
    metric = METRICS[d.metric]
    if d.ratio is None:
        return f"{metric.words} {shown_figure(d.before, metric.unit)} -> {shown_figure(d.after.mid, metric.unit)}"
    if in_percent or 1 / LARGE < d.ratio.mid < LARGE:
        return f"{metric.words} {percent(d.ratio.mid)} ({percent(d.ratio.low)} to {percent(d.ratio.high)})"
    was, now = shown_figure(d.before, metric.unit), shown_figure(d.after.mid, metric.unit)
    return f"{metric.words} {was} -> {now} ({_range(d.after, metric.unit)})"


def percent(ratio: float) -> str:
    """+8%, -12%, 0%."""
    value = round(100 * (ratio - 1))
    return f"{value:+d}%" if value else "0%"


def _range(interval: Interval, unit: str) -> str:
    """0.9-1.6 s, the unit once."""
    high = shown_figure(interval.high, unit)
    in_seconds = high.endswith(" s")
    low = f"{interval.low / 1000:.3g}" if in_seconds else _short(interval.low)
    return f"{low}-{high}"


def count_words(before: Prediction, after: Prediction) -> str:
    """Waiting requests and preemptions, where they change."""
    told = []
    if abs(after.waiting - before.waiting) >= max(1.0, 0.1 * before.waiting):
        told.append(f"waiting {_short(round(before.waiting, 1))} -> {_short(round(after.waiting, 1))}")
    if before.preemptions != after.preemptions and max(before.preemptions, after.preemptions) >= 3:
        told.append(f"preemptions {before.preemptions:,} -> {after.preemptions:,} in {after.requests:,} requests")
    return ", ".join(told)


def reason_words(before: Prediction, after: Prediction) -> str:
    """Why nothing changes, as far as the simulation shows it."""
    if before.kv_usage_peak >= FULL and before.waiting_peak > 0:
        return f"the KV pool is full ({before.kv_usage_peak:.0%} at its peak) and requests wait for it either way"
    if same(before, after):
        waits = f", {before.waiting_peak} wait" if before.waiting_peak else ", none wait long"
        return (
            f"every step stays as it is, for the limit it moves is never met (at most {before.running_peak} run at once{waits}, "
            f"the pool is {before.kv_usage_peak:.0%} full)"
        )
    return f"all figures stay within {NOTICEABLE:.0%}"
