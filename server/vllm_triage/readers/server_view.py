"""One scrape as vLLM's own quantities: gauges by engine, counters and histograms added over the engines of one
model.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from .exposition import Scrape, labels_of
from .histogram import Histogram
from .reading import excerpt

__all__ = ["COUNTED", "PREFIXES", "View", "view_of"]

GAUGES = ("num_requests_running", "num_requests_waiting", "kv_cache_usage_perc")
COUNTED = (
    "prompt_tokens", "generation_tokens", "num_preemptions", "request_success", "prefix_cache_queries",
    "prefix_cache_hits", "spec_decode_num_drafts", "spec_decode_num_draft_tokens", "spec_decode_num_accepted_tokens",
)  # fmt: skip
"""Counters that are read; all of them only ever rise within one process."""
HISTOGRAMS = (
    "time_to_first_token_seconds", "inter_token_latency_seconds", "request_time_per_output_token_seconds",
    "e2e_request_latency_seconds", "request_queue_time_seconds", "request_prefill_time_seconds",
    "request_decode_time_seconds", "request_prompt_tokens", "request_generation_tokens", "iteration_tokens_total",
)  # fmt: skip
OLD_NAMES = {
    "gpu_cache_usage_perc": "kv_cache_usage_perc",
    "gpu_prefix_cache_queries": "prefix_cache_queries",
    "gpu_prefix_cache_hits": "prefix_cache_hits",
    "time_per_output_token_seconds": "inter_token_latency_seconds",
    "time_in_queue_requests": "request_queue_time_seconds",
}
"""Names of earlier releases that measure the same thing (``facts.metrics`` says from when to when); a scrape that has
both during the overlap is read under the new name."""
SGLANG = {
    "num_running_reqs": "num_requests_running",
    "num_queue_reqs": "num_requests_waiting",
    "token_usage": "kv_cache_usage_perc",
    "time_per_output_token_seconds": "inter_token_latency_seconds",
    "queue_time_seconds": "request_queue_time_seconds",
    "gen_throughput": "avg_generation_throughput_toks_per_s",
    "cache_hit_rate": "gpu_prefix_cache_hit_rate",
}
"""SGLang's names (its production-metrics page) for what vLLM counts too; names not listed are the same in both."""
RATIOS = {
    "gpu_prefix_cache_hit_rate": "prefix_hit_rate",
    "spec_decode_draft_acceptance_rate": "acceptance_rate",
}
"""Gauges of V0 that hold a share, and the field they are; -1 means that the feature is off."""
RATES = {
    "avg_generation_throughput_toks_per_s": "output_tok_s",
    "avg_prompt_throughput_toks_per_s": "prompt_tok_s",
}
"""Gauges of 0.6.6 and before that hold the rate of the last log interval."""
PREFIXES = ("vllm:", "vllm_", "vllm.")
OWNER_LABELS = ("engine", "dp_rank", "instance", "pod", "replica", "host", "hostname", "job", "exported_instance")
"""Labels that tell one engine from another."""


@dataclass(slots=True)
class View:
    """One scrape, or several of different engines at one time."""

    time: float | None
    start: float | None
    """``process_start_time_seconds``, which tells one process from the next."""
    model: str | None
    gauges: dict[str, dict[str, float]] = field(default_factory=dict)
    """Gauge to owner (engine) to value."""
    counters: dict[str, float] = field(default_factory=dict)
    histograms: dict[str, Histogram] = field(default_factory=dict)
    waiting_by_reason: dict[str, float] = field(default_factory=dict)
    cache_config: list[dict[str, str]] = field(default_factory=list)
    other_models: set[str] = field(default_factory=set)
    owners: set[str] = field(default_factory=set)
    told: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Shares and rates that V0 exposes as gauges: field to value and metric name."""
    kv_percent: bool = False
    failed: float | None = None

    @property
    def engines(self) -> int:
        return max(1, len(self.gauges.get("num_requests_running") or self.gauges.get("kv_cache_usage_perc") or ()))

    @property
    def running(self) -> float:
        return self.total("num_requests_running")

    @property
    def load(self) -> float:
        """Requests in the server."""
        return self.running + self.total("num_requests_waiting")

    @property
    def kv_usage(self) -> float | None:
        """Of the fullest engine: each has its own pool, and the fullest is the one that starves."""
        return max(self.gauges.get("kv_cache_usage_perc", {}).values(), default=None)

    @property
    def progress(self) -> float:
        """Grows as the server works; orders undated scrapes of one process."""
        return sum(self.counters.values()) + sum(h.count for h in self.histograms.values())

    def total(self, name: str) -> float:
        """A counter, or a gauge added over engines; 0 when it is not there."""
        if name in self.gauges:
            return sum(self.gauges[name].values())
        return self.counters.get(name, 0.0)

    def histogram(self, name: str) -> Histogram:
        return self.histograms.get(name) or Histogram()

    def engine_loads(self) -> list[float]:
        """Running plus waiting of each engine."""
        running = self.gauges.get("num_requests_running", {})
        waiting = self.gauges.get("num_requests_waiting", {})
        return [value + waiting.get(owner, 0.0) for owner, value in running.items()]

    def same_as(self, other: "View") -> bool:
        """True for the same scrape pasted twice."""
        same_time = self.time == other.time or None in (self.time, other.time)
        return same_time and (
            (self.start, self.gauges, self.counters, self.histograms, self.waiting_by_reason)
            == (other.start, other.gauges, other.counters, other.histograms, other.waiting_by_reason)
        )

    def joined(self, other: "View") -> "View":
        """Both, as one server with the engines of both."""
        histograms = dict(self.histograms)
        for name, histogram in other.histograms.items():
            histograms[name] = _added(histograms.get(name), histogram)
        return View(
            time=self.time,
            start=None if self.start is None or other.start is None else max(self.start, other.start),
            model=self.model,
            gauges={n: {**self.gauges.get(n, {}), **other.gauges.get(n, {})} for n in {*self.gauges, *other.gauges}},
            counters=_summed(self.counters, other.counters),
            histograms=histograms,
            waiting_by_reason=_summed(self.waiting_by_reason, other.waiting_by_reason),
            cache_config=self.cache_config + other.cache_config,
            other_models=self.other_models | other.other_models,
            owners=self.owners | other.owners,
            told={**self.told, **other.told},
            kv_percent=self.kv_percent or other.kv_percent,
            failed=None if self.failed is other.failed is None else (self.failed or 0.0) + (other.failed or 0.0),
        )


def _summed(a: Mapping[str, float], b: Mapping[str, float]) -> dict[str, float]:
    return {name: a.get(name, 0.0) + b.get(name, 0.0) for name in {**a, **b}}


def _added(a: Histogram | None, b: Histogram) -> Histogram:
    if a is None:
        return b
    bounds = (a.buckets.keys() & b.buckets.keys()) or (a.buckets.keys() | b.buckets.keys())
    return Histogram(
        a.total + b.total, a.count + b.count, {le: a.buckets.get(le, 0.0) + b.buckets.get(le, 0.0) for le in bounds}
    )


def _vllm_series(scrape: Scrape) -> dict[str, dict[str, float]]:
    """vLLM's series by bare name, old names under the new ones; ``vllm_`` is what some collectors make of ``vllm:``."""
    out: dict[str, dict[str, float]] = {}
    old: dict[str, dict[str, float]] = {}
    for name, series in scrape.samples.items():
        if not name.startswith(PREFIXES):
            continue
        bare = name[5:].replace(".", "_")
        stem, suffix = bare, ""
        for end in ("_bucket", "_count", "_sum"):
            if bare.endswith(end):
                stem, suffix = bare.removesuffix(end), end
        today = OLD_NAMES.get(stem.removesuffix("_total"))
        if today is None:
            out[bare] = series
        else:
            old[today + ("_total" if stem.endswith("_total") else "") + suffix] = series
    return {**old, **out}


def _sglang_series(scrape: Scrape) -> dict[str, dict[str, float]]:
    """SGLang's series under vLLM's names. Each rank of a tensor-parallel group reports the same: rank 0 is read."""
    out: dict[str, dict[str, float]] = {}
    for name, series in scrape.samples.items():
        if not name.startswith("sglang:"):
            continue
        bare = name.removeprefix("sglang:")
        stem = next((bare.removesuffix(end) for end in ("_bucket", "_count", "_sum") if bare.endswith(end)), bare)
        today = SGLANG.get(stem, stem) + bare[len(stem) :]
        out[today] = {raw: v for raw, v in series.items() if 'tp_rank="' not in raw or 'tp_rank="0"' in raw}
    return out


def view_of(scrape: Scrape, unread: list[str]) -> View | None:
    """Read one scrape; None when it holds nothing of vLLM's. Values that cannot be measurements go to `unread`."""
    series = _vllm_series(scrape)
    if not series and (series := _sglang_series(scrape)):
        unread.append("metrics: SGLang's, not vLLM's; what both measure was read, and advice on flags is for vLLM")
    if not series:
        return None
    model, others = _busiest_model(series)
    start = next(iter(scrape.samples.get("process_start_time_seconds", {}).values()), None)
    view = View(time=scrape.time, start=start, model=model, other_models=others)
    marker = f'model_name="{model}"' if others else None

    def mine(name: str) -> dict[str, float]:
        found = series.get(name, {})
        if marker is not None:
            found = {raw: value for raw, value in found.items() if marker in raw or "model_name=" not in raw}
        good = {}
        for raw, value in found.items():
            if math.isfinite(value) and (value >= 0 or name in RATIOS):
                good[raw] = value
            else:
                unread.append(excerpt(f"metrics: vllm:{name} is {value}, which is no measurement"))
        return good

    for name in GAUGES:
        if found := mine(name):
            gauge: dict[str, float] = {}
            for raw, value in found.items():
                owner = _owner(raw)
                gauge[owner] = gauge.get(owner, 0.0) + value if name != "kv_cache_usage_perc" else value
            view.gauges[name] = gauge
            view.owners |= {f"{owner}" for owner in gauge}
    _normalise_usage(view, unread)
    for name in COUNTED:
        found = mine(f"{name}_total") or mine(name)
        if found:
            view.counters[name] = sum(found.values())
    for name in HISTOGRAMS:
        if counts := mine(f"{name}_count"):
            view.histograms[name] = Histogram(
                sum(mine(f"{name}_sum").values()), sum(counts.values()), _buckets(mine(f"{name}_bucket"))
            )
    for raw, value in mine("num_requests_waiting_by_reason").items():
        reason = labels_of(raw).get("reason", "")
        view.waiting_by_reason[reason] = view.waiting_by_reason.get(reason, 0.0) + value
    if "num_requests_waiting" not in view.gauges and view.waiting_by_reason:
        view.gauges["num_requests_waiting"] = {"": sum(view.waiting_by_reason.values())}
    view.cache_config = [labels_of(raw) for raw in series.get("cache_config_info", {})]
    for name, share in RATIOS.items():
        if good := [value for value in mine(name).values() if 0 <= value <= 1]:
            view.told[share] = (max(good), name)
    for name, rate in RATES.items():
        if found := mine(name):
            view.told[rate] = (sum(found.values()), name)
    view.failed = _failed(mine("request_success_total"), mine("admission_rejections_total"))
    return view


def _failed(finished: Mapping[str, float], refused: Mapping[str, float]) -> float | None:
    """Requests that ended in an error or were refused at the door, since the start."""
    if not finished and not refused:
        return None
    errors = sum(value for raw, value in finished.items() if 'finished_reason="error"' in raw)
    return errors + sum(refused.values())


def _busiest_model(series: Mapping[str, Mapping[str, float]]) -> tuple[str | None, set[str]]:
    """The model with most requests in the server (then most tokens), and the other ones."""
    score: dict[str, list[float]] = {}
    names = (
        "num_requests_running",
        "num_requests_waiting",
        "generation_tokens_total",
        "e2e_request_latency_seconds_count",
    )
    for rank, name in enumerate(names):
        for raw, value in series.get(name, {}).items():
            model = labels_of(raw).get("model_name")
            if model is not None:
                score.setdefault(model, [0.0, 0.0])[0 if rank < 2 else 1] += value if math.isfinite(value) else 0.0
    if not score:
        any_raw = next((raw for found in series.values() for raw in found if "model_name=" in raw), "")
        return labels_of(any_raw).get("model_name"), set()
    best = max(score, key=lambda m: (score[m], m))
    return best, set(score) - {best}


def _owner(raw: str) -> str:
    labels = labels_of(raw)
    return "|".join(f"{name}={labels[name]}" for name in OWNER_LABELS if name in labels)


def _buckets(found: Mapping[str, float]) -> dict[float, float]:
    out: dict[float, float] = {}
    for raw, value in found.items():
        at = raw.find('le="')
        try:
            bound = float(raw[at + 4 : raw.index('"', at + 4)]) if at >= 0 else math.nan
        except ValueError:
            continue
        if not math.isnan(bound):
            out[bound] = out.get(bound, 0.0) + value
    return out


def _normalise_usage(view: View, unread: list[str]) -> None:
    """KV usage to 0..1: the gauge is a fraction, but dashboards and recording rules often carry percent."""
    usage = view.gauges.get("kv_cache_usage_perc")
    if not usage:
        return
    if max(usage.values()) > 1.0:
        view.kv_percent = max(usage.values()) > 1.001
        usage = {owner: value / 100 if view.kv_percent else min(value, 1.0) for owner, value in usage.items()}
    good = {owner: value for owner, value in usage.items() if value <= 1.0}
    if len(good) < len(usage):
        unread.append("metrics: vllm:kv_cache_usage_perc above 100 percent")
    if good:
        view.gauges["kv_cache_usage_perc"] = good
    else:
        del view.gauges["kv_cache_usage_perc"]
