"""vLLM's meaning of one or several scrapes.

One scrape: gauges are "now"; histograms are means over the server's whole life, and their source says "lifetime".
Two scrapes or more: what happened between the first and the last of one process. The order of pasting does not matter:
scrapes are put in order by their time, or by their counters. A scrape pasted twice counts once. A counter that fell
means a restart, and only what follows it is compared.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from ..domain import PoolReading
from .exposition import Scrape
from .histogram import Histogram
from .logged_settings import cache_settings
from .reading import Kind, Partial
from .server_view import PREFIXES, View, view_of
from .timeline import Interval, difference, timeline
from .utilisation import gpu_utilisation, ignored

__all__ = ["read_metrics"]

LATENCIES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("time_to_first_token_seconds", "ttft_ms", ("mean", "p50", "p99")),
    ("inter_token_latency_seconds", "itl_ms", ("mean", "p50", "p99")),
    ("request_time_per_output_token_seconds", "tpot_ms", ("mean", "p50", "p99")),
    ("e2e_request_latency_seconds", "e2e_ms", ("mean", "p99")),
    ("request_queue_time_seconds", "queue_ms", ("mean", "p99")),
    ("request_prefill_time_seconds", "prefill_ms", ("mean",)),
    ("request_decode_time_seconds", "decode_ms", ("mean",)),
)
"""Histogram in seconds, field in ms, statistics taken from it."""

SIZES = (
    ("request_prompt_tokens", "input_tokens"),
    ("request_generation_tokens", "output_tokens"),
    ("iteration_tokens_total", "tokens_per_step"),
)
"""Histograms of token counts, of which the mean is taken."""

QUANTILES = {"p50": (0.5, 2), "p99": (0.99, 20)}
"""Statistic, its quantile, and the fewest observations it is read from: a p99 of five requests is their maximum."""


def read_metrics(scrapes: Sequence[Scrape], interval_s: float | None = None) -> Partial | None:
    """Read scrapes of one deployment; None when there is no scrape at all.

    `interval_s` is the time between the first and the last scrape, when the user said it and the scrapes do not.
    """
    if not scrapes:
        return None
    part = Partial(what="")
    for scrape in scrapes:
        for name in scrape.samples:
            if (signal := gpu_utilisation(name)) and ignored(signal) not in part.ignored:
                part.ignored.append(ignored(signal))
        if scrape.malformed:
            part.unread.append(f"metrics: {scrape.malformed} malformed line(s), the first: {scrape.first_malformed}")
    views = [view for scrape in scrapes if (view := view_of(scrape, part.unread)) is not None]
    if not views:
        part.what = "Prometheus text without vLLM metrics"
        part.unread.append("metrics: no vllm:* metric in the scrape")
        return part
    run = timeline(views, part, interval_s)
    foreign = not any(name.startswith(PREFIXES) for scrape in scrapes for name in scrape.samples)
    part.what = _describe(run, len(scrapes)) + (" of SGLang" if foreign else "")
    part.model_name = run.last.model
    part.engines = run.last.engines
    part.pool = _pool(run.last)
    part.settings = cache_settings(run.last.cache_config)
    _gauges(run.views, part)
    if len(run.views) > 1:
        _between(run, part)
    _lifetime(run.last, part)
    return part


def _describe(run: Interval, pasted: int) -> str:
    if len(run.views) == 1:
        return "one /metrics scrape" + (f" (of {pasted} pasted)" if pasted > 1 else "")
    if run.seconds is None:
        span = "without times"
    else:
        span = f"about {run.seconds:.3g} s apart (derived)" if run.derived else f"{run.seconds:.4g} s apart"
    return f"{len(run.views)} /metrics scrapes, first and last {span}"


def _gauges(views: Sequence[View], part: Partial) -> None:
    """Gauges of the busiest scrape, so that all of them are of one instant, and peaks over all."""
    busiest = max(views, key=lambda v: (v.load, v.kv_usage or 0.0))
    where = f", busiest of {len(views)} scrapes" if len(views) > 1 else ""
    engines = f", sum of {busiest.engines} engines" if busiest.engines > 1 else ""
    for name, gauge in (("running", "num_requests_running"), ("waiting", "num_requests_waiting")):
        if gauge in busiest.gauges:
            part.add(name, busiest.total(gauge), f"metrics: vllm:{gauge}{engines}{where}", "gauge")
            if len(views) > 1:
                peak = max(v.total(gauge) for v in views)
                part.add(f"{name}_max", peak, f"metrics: vllm:{gauge}, largest of {len(views)} scrapes", "gauge")
    for reason, value in sorted(busiest.waiting_by_reason.items()):
        if reason in ("capacity", "deferred"):
            source = f'metrics: vllm:num_requests_waiting_by_reason{{reason="{reason}"}}{engines}{where}'
            part.add(f"waiting_{reason}", value, source, "gauge")
    if busiest.kv_usage is not None:
        spread = f", fullest of {busiest.engines} engines" if busiest.engines > 1 else ""
        name = "metrics: vllm:kv_cache_usage_perc" + (" read as percent" if busiest.kv_percent else "")
        part.add("kv_usage", busiest.kv_usage, f"{name}{spread}{where}", "gauge")
        if len(views) > 1:
            peak = max(v.kv_usage or 0.0 for v in views)
            part.add("kv_usage_max", peak, f"{name}, largest of {len(views)} scrapes", "gauge")
    loads = busiest.engine_loads()
    if len(loads) > 1 and sum(loads) > 0:
        ratio = max(loads) * len(loads) / sum(loads)
        part.add("engine_imbalance", ratio, "metrics: running + waiting, busiest engine over the mean", "gauge")
    last = views[-1]
    if "num_preemptions" in last.counters:
        source = "metrics: vllm:num_preemptions_total, lifetime counter"
        part.add("preemptions_total", last.total("num_preemptions"), source, "lifetime")


def _between(run: Interval, part: Partial) -> None:
    """What the counters did between the scrapes."""
    span = "between the scrapes"
    _histograms({n: difference(run.first, run.last, n) for n in run.last.histograms}, span, "interval", part)

    def moved(name: str) -> float:
        return run.last.total(name) - run.first.total(name)

    _ratios(moved, span, "interval", part)
    if run.first.failed is not None and run.last.failed is not None:
        part.add("failed", run.last.failed - run.first.failed, f"metrics: errors and refusals {span}", "interval")
    seconds = run.seconds
    if seconds is None:
        return
    kind: Kind = "derived" if run.derived else "interval"
    if not run.derived and len(run.views) > 2 and all(v.time is not None for v in run.views):
        seconds = _busy_seconds(run.views) or seconds
    over = f"between the scrapes, over {'a derived ' if run.derived else ''}{seconds:.4g} s"
    for field, name in (
        ("output_tok_s", "generation_tokens"),
        ("prompt_tok_s", "prompt_tokens"),
        ("request_rate", "request_success"),
        ("preemption_rate", "num_preemptions"),
    ):
        if name in run.last.counters and name in run.first.counters:
            part.add(field, moved(name) / seconds, f"metrics: vllm:{name}_total {over}", kind)
    if "generation_tokens" in run.last.counters and "prompt_tokens" in run.last.counters:
        total = (moved("generation_tokens") + moved("prompt_tokens")) / seconds
        part.add("total_tok_s", total, f"metrics: prompt and generation tokens {over}", kind)


def _busy_seconds(views: Sequence[View]) -> float:
    """Time in the intervals in which tokens were produced, so that idle edges do not dilute a rate."""
    return sum(
        (b.time or 0.0) - (a.time or 0.0)
        for a, b in pairwise(views)
        if b.total("generation_tokens") + b.total("prompt_tokens")
        > a.total("generation_tokens") + a.total("prompt_tokens")
    )


def _lifetime(view: View, part: Partial) -> None:
    """Means since the server started, for what no interval told; never a rate."""
    read = set(part.names())
    late = Partial(what="")
    _histograms(view.histograms, "lifetime", "lifetime", late)
    _ratios(view.total, "lifetime", "lifetime", late)
    for name, (value, metric) in view.told.items():
        late.add(name, value, f"metrics: vllm:{metric}", "gauge")
    part.readings += [r for r in late.readings if r.name not in read]
    part.unread += late.unread


def _histograms(found: dict[str, Histogram], span: str, kind: Kind, part: Partial) -> None:
    for name, field, statistics in LATENCIES:
        histogram = found.get(name)
        mean = histogram.mean() if histogram else None
        if histogram is None or mean is None:
            continue
        source = f"metrics: vllm:{name}"
        of = f"of {histogram.count:.10g}"
        for statistic in statistics:
            if statistic == "mean":
                part.add(f"{field}_mean", mean, f"{source}, {span} mean {of}", kind, 1000)
                continue
            quantile, fewest = QUANTILES[statistic]
            if histogram.count >= fewest and (at := histogram.quantile(quantile)) is not None:
                bound = "at least, above the last bucket" if at[1] else "by bucket"
                part.add(f"{field}_{statistic}", at[0], f"{source}, {span} {statistic} {of}, {bound}", kind, 1000)
    for name, field in SIZES:
        histogram = found.get(name)
        if histogram and (mean := histogram.mean()) is not None:
            part.add(field, mean, f"metrics: vllm:{name}, {span} mean of {histogram.count:.10g}", kind)
    if (done := found.get("e2e_request_latency_seconds")) and done.count > 0:
        part.add("requests", done.count, f"metrics: vllm:e2e_request_latency_seconds_count, {span}", kind)


def _ratios(moved: Callable[[str], float], span: str, kind: Kind, part: Partial) -> None:
    """Quotients of two counters, which need no clock."""
    if (queries := moved("prefix_cache_queries")) > 0:
        hit = moved("prefix_cache_hits") / queries
        part.add("prefix_hit_rate", hit, f"metrics: vllm:prefix_cache_hits / queries, {span}", kind)
    if (drafted := moved("spec_decode_num_draft_tokens")) > 0:
        accepted = moved("spec_decode_num_accepted_tokens")
        part.add("acceptance_rate", accepted / drafted, f"metrics: accepted / draft tokens, {span}", kind)
        if (drafts := moved("spec_decode_num_drafts")) > 0:
            part.add("acceptance_length", 1 + accepted / drafts, f"metrics: 1 + accepted tokens / drafts, {span}", kind)


def _pool(view: View) -> PoolReading | None:
    """The KV pool of one engine as ``cache_config_info`` describes it; the smallest when engines differ."""
    rows = [row for row in view.cache_config if row]
    if not rows:
        return None

    def least(label: str) -> float | None:
        return min(_numbers(row.get(label) for row in rows), default=None)

    tokens, concurrency = least("kv_cache_size_tokens"), least("kv_cache_max_concurrency")
    blocks, block_size = least("num_gpu_blocks"), least("block_size")
    if tokens is None and blocks is None:
        return None
    length = round(tokens / concurrency) if tokens and concurrency else None
    return PoolReading(
        tokens=None if tokens is None else int(tokens),
        blocks=None if blocks is None else int(blocks),
        block_size=None if block_size is None else int(block_size),
        max_concurrency=concurrency,
        max_model_len=length,
        source="metrics: vllm:cache_config_info",
    )


def _numbers(texts: Iterable[str | None]) -> list[float]:
    out = []
    for text in texts:
        try:
            value = float(text or "")
        except ValueError:
            continue
        if 0 <= value < 1e15:
            out.append(value)
    return out
