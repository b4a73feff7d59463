"""Predictions in few figures and few words, for every answer that shows one."""

from ..domain import Difference, Interval, Json, Latency, Prediction, Workload
from .words import count

__all__ = ["difference_json", "interval_json", "ms_words", "prediction_json", "prediction_words", "workload_words"]


def interval_json(found: Interval) -> list[Json]:
    """``[low, mid, high]``, three significant digits."""
    return [rounded(found.low), rounded(found.mid), rounded(found.high)]


def rounded(value: float) -> Json:
    """Three significant digits; whole from 100 up."""
    return round(value) if abs(value) >= 100 else float(f"{value:.3g}")


def prediction_json(p: Prediction) -> dict[str, Json]:
    """The figures of a prediction; intervals are ``[low, mid, high]``."""
    rate = None if p.prefix_hit_rate is None else round(p.prefix_hit_rate, 3)
    return {
        "ttft_ms": _latency(p.ttft_ms), "itl_ms": _latency(p.itl_ms), "tpot_ms": _latency(p.tpot_ms),
        "e2e_ms": _latency(p.e2e_ms), "output_tok_s": interval_json(p.output_tok_s),
        "total_tok_s": interval_json(p.total_tok_s), "request_rate": interval_json(p.request_rate),
        "running": rounded(p.running), "waiting": rounded(p.waiting), "waiting_peak": p.waiting_peak,
        "kv_usage": round(p.kv_usage, 3), "kv_usage_peak": round(p.kv_usage_peak, 3), "preemptions": p.preemptions,
        "prefix_hit_rate": rate, "requests": p.requests, "duration_s": rounded(p.duration_s), "overloaded": p.overloaded,
    }  # fmt: skip


def _latency(found: Latency) -> dict[str, Json]:
    return {name: interval_json(getattr(found, name)) for name in ("mean", "p50", "p99")}


def difference_json(d: Difference) -> dict[str, Json]:
    """Before, after with its interval, and the ratio of the two with its own."""
    return {
        "metric": d.metric, "before": rounded(d.before), "after": interval_json(d.after),
        "ratio": None if d.ratio is None else [round(x, 3) for x in (d.ratio.low, d.ratio.mid, d.ratio.high)],
    }  # fmt: skip


def ms_words(ms: float) -> str:
    """9.1 s, 320 ms, 8.4 ms."""
    return f"{count(ms / 1000)} s" if ms >= 1000 else f"{count(ms)} ms"


def prediction_words(p: Prediction) -> str:
    """One line: latencies, throughput, occupancy."""
    told = [
        f"TTFT {ms_words(p.ttft_ms.mean.mid)} (p99 {ms_words(p.ttft_ms.p99.mid)})", f"TPOT {ms_words(p.tpot_ms.mean.mid)}",
        f"ITL p99 {ms_words(p.itl_ms.p99.mid)}", f"{count(p.output_tok_s.mid)} output tok/s",
        f"{count(round(p.running, 1))} running", f"{count(round(p.waiting, 1))} waiting", f"KV pool {p.kv_usage:.0%}",
    ]  # fmt: skip
    if p.preemptions:
        told.append(f"{p.preemptions:,} preemptions in {p.requests:,} requests")
    if p.overloaded:
        told.append("overloaded: the queue grows without end")
    return ", ".join(told)


def workload_words(w: Workload) -> str:
    """``64 users at once, 2,048 tokens in, 300 out``."""
    load = {
        "closed": f"{_many(w.concurrency or 0, 'user')} at once", "open": f"{count(w.request_rate or 0)} requests/s",
        "at_once": f"{_many(w.requests or 0, 'request')} sent at once", "trace": f"a trace of {_many(len(w.trace), 'request')}",
    }[w.arrivals]  # fmt: skip
    if w.arrivals == "trace":
        return load
    shared = f", {w.shared_prefix_tokens:,} shared" if w.shared_prefix_tokens else ""
    turns = f", {w.turns} turns" if w.turns > 1 else ""
    return f"{load}, {count(w.input.mean)} tokens in{shared}, {count(w.output.mean)} out{turns}"


def _many(number: int, of: str) -> str:
    return f"{number:,} {of}{'' if number == 1 else 's'}"
