"""``vllm bench serve`` (and ``benchmark_serving.py`` before it): the JSON of ``--save-result`` and the printed report.

The keys have been the same since 0.6; ``failed`` and ``max_concurrent_requests`` came in 0.11, ``spec_decode_*`` in
0.14. ``spec_decode_acceptance_rate`` is in percent. ``max_concurrent_requests`` counts per second of wall time and may
exceed the real maximum, so it is not read as the concurrency.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from ...domain import Json
from ..lazy import Lazy
from ..reading import Partial, number

__all__ = ["arrivals", "percentiles", "read_json", "read_text", "report_rows"]

TOOL = "vllm bench serve"
METRICS = {"ttft": "ttft_ms", "itl": "itl_ms", "tpot": "tpot_ms", "e2el": "e2e_ms"}
FIELDS = frozenset({
    f"{stem}_{statistic}"
    for stem in METRICS.values()
    for statistic in ("mean", "p50", "p90", "p95", "p99")
})
"""Latency statistics an observation has a place for."""


def read_json(document: Json) -> Partial | None:
    """Read one result object."""
    if not isinstance(document, dict) or "mean_ttft_ms" not in document or "output_throughput" not in document:
        return None
    if "mean_e2e_latency_ms" in document or "sharegpt_output_len" in document:
        return None  # SGLang's
    part = Partial(what=f"{TOOL} result")
    part.order = (str(document.get("date") or ""),)
    if isinstance(model := document.get("model_id"), str):
        part.model_name = model
    percentiles(document, TOOL, part)
    for key, name in (
        ("output_throughput", "output_tok_s"),
        ("total_token_throughput", "total_tok_s"),
        ("request_throughput", "request_rate"),
        ("failed", "failed"),
        ("spec_decode_acceptance_length", "acceptance_length"),
    ):
        part.add(name, document.get(key), f"{TOOL}: {key}", "client")
    part.add(
        "acceptance_rate",
        document.get("spec_decode_acceptance_rate"),
        f"{TOOL}: spec_decode_acceptance_rate",
        "client",
        0.01,
    )
    total, output = part.get("total_tok_s"), part.get("output_tok_s")
    if total is not None and output is not None and total >= output:
        part.add("prompt_tok_s", total - output, f"{TOOL}: total_token_throughput less output_throughput", "client")
    _lengths(part, document.get("completed"), document.get("total_input_tokens"), document.get("total_output_tokens"))
    _end_to_end(document.get("latencies"), part)
    arrivals(part, TOOL, document.get("max_concurrency"), document.get("request_rate"), document.get("num_prompts"))
    return part


def percentiles(document: Mapping[str, Json], tool: str, part: Partial) -> None:
    """Read ``mean_ttft_ms``, ``median_itl_ms``, ``p99_tpot_ms`` and the like."""
    for key, value in document.items():
        statistic, _, rest = key.partition("_")
        metric = rest.removesuffix("_ms")
        if metric in METRICS and rest.endswith("_ms"):
            field = f"{METRICS[metric]}_{'p50' if statistic == 'median' else statistic}"
            if field in FIELDS and part.get(field) is None:
                part.add(field, value, f"{tool}: {key}", "client")


def _end_to_end(latencies: Json, part: Partial) -> None:
    """From 0.30 the result lists every request's latency in seconds, also without ``--percentile-metrics e2el``."""
    if part.get("e2e_ms_mean") is None and isinstance(latencies, list) and latencies:
        seconds = sorted(s for value in latencies if (s := number(value)) is not None)
        if len(seconds) == len(latencies):
            part.add("e2e_ms_mean", sum(seconds) / len(seconds), f"{TOOL}: mean of latencies", "client", 1000)
            at = min(len(seconds) - 1, round(0.99 * (len(seconds) - 1)))
            part.add("e2e_ms_p99", seconds[at], f"{TOOL}: 99th percentile of latencies", "client", 1000)


def _lengths(part: Partial, completed: Json, input_tokens: Json, output_tokens: Json) -> None:
    done = number(completed)
    part.add("requests", completed, f"{TOOL}: completed", "client")
    if not done:
        return
    for name, key, total in (
        ("input_tokens", "total_input_tokens", input_tokens),
        ("output_tokens", "total_output_tokens", output_tokens),
    ):
        if (tokens := number(total)) is not None:
            part.add(name, tokens / done, f"{TOOL}: {key} / completed", "client")


def arrivals(part: Partial, tool: str, max_concurrency: Json, request_rate: Json, prompts: Json) -> None:
    """The concurrency the client offered.

    A stated maximum is the answer. Without one and with an infinite rate every prompt is sent at once. With a finite
    rate it is what Little's law makes of the run: rate x (TTFT + (OSL - 1) x TPOT).
    """
    if number(max_concurrency):
        part.add("concurrency", max_concurrency, f"{tool}: max_concurrency", "client")
    elif request_rate in ("inf", float("inf")) and number(prompts):
        part.add("concurrency", prompts, f"{tool}: num_prompts, all sent at once (request_rate inf)", "client")
    else:
        rate, ttft, tpot, length = (
            part.get(n) for n in ("request_rate", "ttft_ms_mean", "tpot_ms_mean", "output_tokens")
        )
        if None not in (rate, ttft, tpot, length):
            held = (ttft or 0.0) + max((length or 0.0) - 1, 0.0) * (tpot or 0.0)
            source = f"{tool}: request rate x time in system (no concurrency limit was set)"
            part.add("concurrency", (rate or 0.0) * held / 1000, source, "client")


# -- the printed report ------------------------------------------------------------------------------------------

_ROW = Lazy(
    r"^[ \t|]*([A-Za-z][A-Za-z0-9 .()/%@-]{2,60}?)[ \t]*:[ \t]{1,80}([-+]?[0-9][0-9.,eE+-]{0,30}|nan|inf)[ \t|]*$",
    re.MULTILINE | re.IGNORECASE,
)
ROWS = {
    "successful requests": "completed",
    "failed requests": "failed",
    "maximum request concurrency": "max_concurrency",
    "request rate configured (rps)": "request_rate",
    "total input tokens": "total_input_tokens",
    "total generated tokens": "total_output_tokens",
    "request throughput (req/s)": "request_throughput",
    "output token throughput (tok/s)": "output_throughput",
    "total token throughput (tok/s)": "total_token_throughput",
    "acceptance rate (%)": "spec_decode_acceptance_rate",
    "acceptance length": "spec_decode_acceptance_length",
}
_STATISTIC = Lazy(r"(mean|median|p\d{1,2}(?:\.\d{1,2})?)\s+(ttft|tpot|itl|e2el)\s+\(ms\)\Z")
_PROMPTS = Lazy(r"Traffic request rate:\s*(inf|[0-9.]+)|num_prompts=(\d{1,9})\b|\bmodel='([^'\n]{1,200})'")


def report_rows(text: str, also: Mapping[str, str] = MappingProxyType({})) -> dict[str, float]:
    """The ``label:   value`` rows of a printed report by their JSON key; `also` knows more labels."""
    rows: dict[str, float] = {}
    for label, value in _ROW.pairs(text):
        bare = " ".join(label.lower().split())
        key = also.get(bare) or ROWS.get(bare)
        if key is None and (match := _STATISTIC.match(bare)):
            key = f"{match.group(1)}_{match.group(2)}_ms"
        if key is not None:
            try:
                rows[key] = float(value.replace(",", ""))
            except ValueError:
                continue
    return rows


def read_text(text: str) -> Partial | None:
    """Read the report between ``Serving Benchmark Result`` and the closing rule; of several the last is read."""
    at = text.rfind("Serving Benchmark Result")
    if at < 0:
        return None
    rows = report_rows(text[at : at + 20_000])
    if "output_throughput" not in rows and "mean_ttft_ms" not in rows:
        return None
    document: dict[str, Json] = {**rows}
    document.setdefault("mean_ttft_ms", None)
    document.setdefault("output_throughput", None)
    for said in _PROMPTS.finditer(text[max(0, at - 60_000) : at]):
        rate, prompts, model = said.groups("")
        if rate and "request_rate" not in rows:
            document["request_rate"] = rate if rate == "inf" else float(rate) if rate.count(".") < 2 else None
        if prompts:
            document["num_prompts"] = int(prompts)
        if model:
            document["model_id"] = model
    if "request_rate" not in document and "max_concurrency" not in rows:
        document["num_prompts"] = None
    part = read_json(document)
    if part is not None:
        part.what = f"{TOOL} printed report"
        if text.count("Serving Benchmark Result") > 1:
            part.unread.append(f"{TOOL}: several reports in one text; the last was read")
    return part
