"""Replies of the Prometheus HTTP API (``query``, ``query_range``) and of Grafana's data-source API.

A series that carries its metric's name is a scrape: an instant vector one, a matrix one per timestamp; they go the
way of every other scrape. A computed series (``rate(...)``, ``histogram_quantile(...)``) has lost its name and is
read by the expression, where the reply or Grafana's ``executedQueryString`` shows it.
"""

import math
import re
from collections.abc import Iterator, Mapping

from ..domain import Json
from .exposition import Scrape
from .lazy import Lazy
from .reading import Partial, excerpt
from .utilisation import gpu_utilisation, ignored

__all__ = ["read_prometheus_json"]

MAX_SCRAPES = 40
"""Timestamps of a range that are kept, spread evenly; the first and the last are always among them."""
MAX_SAMPLES = 400_000
MAX_FRAMES = 500

_NAME = r"vllm[:_]([a-z0-9_]+)"
_QUANTILE = Lazy(rf"histogram_quantile\(\s*(0?\.\d+|0|1)\s*,.{{0,300}}?{_NAME}_bucket", re.DOTALL)
_MEAN = Lazy(rf"rate\(\s*{_NAME}_sum.{{0,300}}?/.{{0,300}}?rate\(\s*vllm[:_]\1_count", re.DOTALL)
_RATE = Lazy(rf"i?rate\(\s*{_NAME}_total")
_PLAIN = Lazy(rf"\b{_NAME}")
_LATENCY = {
    "time_to_first_token_seconds": "ttft_ms",
    "inter_token_latency_seconds": "itl_ms",
    "time_per_output_token_seconds": "itl_ms",
    "request_time_per_output_token_seconds": "tpot_ms",
    "e2e_request_latency_seconds": "e2e_ms",
    "request_queue_time_seconds": "queue_ms",
    "request_prefill_time_seconds": "prefill_ms",
    "request_decode_time_seconds": "decode_ms",
}
_SIZE = {
    "request_prompt_tokens": "input_tokens",
    "request_generation_tokens": "output_tokens",
    "iteration_tokens": "tokens_per_step",
}
_RATES = {
    "generation_tokens": "output_tok_s",
    "prompt_tokens": "prompt_tok_s",
    "request_success": "request_rate",
    "num_preemptions": "preemption_rate",
}
_GAUGES = {
    "num_requests_running": "running",
    "num_requests_waiting": "waiting",
    "kv_cache_usage_perc": "kv_usage",
    "gpu_cache_usage_perc": "kv_usage",
}
_FIELDS = frozenset(
    f"{stem}_{statistic}" for stem in ("ttft_ms", "itl_ms", "tpot_ms", "e2e_ms") for statistic in ("mean", "p50", "p90", "p95", "p99")
) | {"queue_ms_mean", "queue_ms_p99", "prefill_ms_mean", "decode_ms_mean"}

Point = tuple[float, float]


def read_prometheus_json(document: Json) -> tuple[Partial, list[Scrape]] | None:
    """Read a reply; None when the document is none. The scrapes are the series that kept their names."""
    document = _as_reply(document)
    if not isinstance(document, dict):
        return None
    if document.get("status") == "error" and "errorType" in document:
        part = Partial(what="Prometheus API error")
        part.unread.append(excerpt(f"Prometheus API: {document.get('errorType')}: {document.get('error')}"))
        return part, []
    results = document.get("results")
    if isinstance(results, dict) and _is_grafana(results):
        part, series = Partial(what="Grafana query reply"), list(_grafana(results))
    elif isinstance(data := document.get("data"), dict) and data.get("resultType") in ("vector", "matrix", "scalar"):
        part = Partial(what=f"Prometheus API reply ({data.get('resultType')})")
        expression = next((str(document[k]) for k in ("query", "expr") if isinstance(document.get(k), str)), "")
        series = list(_prometheus(data, expression))
    else:
        return None
    return part, _sort(series, part)


def _as_reply(document: Json) -> Json:
    """What Grafana's panel inspector shows, as the query reply it came from.

    "DataFrame JSON" is a list of frames; "Panel data" holds series whose fields carry their own values.
    """
    if isinstance(document, dict) and isinstance(document.get("series"), list):
        document = [document]
    if not isinstance(document, list) or not document or not all(isinstance(item, dict) for item in document):
        return document
    frames: list[Json] = []
    for item in document[:MAX_FRAMES]:
        if not isinstance(item, dict):
            continue
        if isinstance(item.get("schema"), dict) and isinstance(item.get("data"), dict):
            frames.append(item)
        series = item.get("series")
        frames += [_frame(one) for one in series[:MAX_FRAMES] if isinstance(one, dict)] if isinstance(series, list) else []
    return {"results": {"panel": {"frames": frames}}} if frames else document


def _frame(series: dict[str, Json]) -> Json:
    """A series of the panel's own data as a frame: the fields' values apart from what they are."""
    found = series.get("fields")
    fields = [field for field in found if isinstance(field, dict)] if isinstance(found, list) else []
    bare: list[Json] = [{name: value for name, value in field.items() if name != "values"} for field in fields]
    values: list[Json] = [field.get("values") for field in fields]
    return {"schema": {"meta": series.get("meta"), "fields": bare}, "data": {"values": values}}


def _is_grafana(results: Mapping[str, Json]) -> bool:
    return any(isinstance(r, dict) and "frames" in r for r in results.values())


def _prometheus(data: Mapping[str, Json], expression: str) -> Iterator[tuple[dict[str, str], list[Point], str]]:
    result = data.get("result")
    if data.get("resultType") == "scalar":
        yield {}, _points([result]), expression
        return
    for row in result if isinstance(result, list) else []:
        if isinstance(row, dict):
            metric = row.get("metric")
            labels = {k: str(v) for k, v in metric.items()} if isinstance(metric, dict) else {}
            values = row.get("values")
            yield labels, _points(values if isinstance(values, list) else [row.get("value")]), expression


def _grafana(results: Mapping[str, Json]) -> Iterator[tuple[dict[str, str], list[Point], str]]:
    for result in results.values():
        frames = result.get("frames") if isinstance(result, dict) else None
        for frame in frames if isinstance(frames, list) else []:
            schema = frame.get("schema") if isinstance(frame, dict) else None
            data = frame.get("data") if isinstance(frame, dict) else None
            if not isinstance(schema, dict) or not isinstance(data, dict):
                continue
            fields, columns = schema.get("fields"), data.get("values")
            if (
                not isinstance(fields, list)
                or not isinstance(columns, list)
                or len(fields) != len(columns)
                or len(columns) < 2
            ):
                continue
            meta = schema.get("meta")
            expression = str(meta.get("executedQueryString", "")) if isinstance(meta, dict) else ""
            times = columns[0]
            for field, column in zip(fields[1:], columns[1:], strict=True):
                if not isinstance(times, list) or not isinstance(column, list):
                    continue
                labels = field.get("labels") if isinstance(field, dict) else None
                pairs: list[Json] = [[_seconds(t), v] for t, v in zip(times, column, strict=False)]
                yield (
                    ({k: str(v) for k, v in labels.items()} if isinstance(labels, dict) else {}),
                    _points(pairs),
                    expression,
                )


def _seconds(stamp: Json) -> Json:
    return stamp / 1000 if isinstance(stamp, int | float) and stamp > 1e11 else stamp


def _points(pairs: list[Json]) -> list[Point]:
    out = []
    for pair in pairs[:MAX_SAMPLES]:
        if not isinstance(pair, list) or len(pair) != 2:
            continue
        stamp, value = pair
        try:
            out.append((float(str(stamp)), float(str(value))))
        except ValueError:
            continue
    return out


def _sort(series: list[tuple[dict[str, str], list[Point], str]], part: Partial) -> list[Scrape]:
    """Named series into scrapes, computed ones into readings."""
    scrapes: dict[float, Scrape] = {}
    stamps = sorted({t for labels, points, _ in series if "__name__" in labels for t, _ in points})
    kept = set(_spread(stamps))
    sums: dict[str, tuple[float, str]] = {}
    for labels, points, expression in series:
        name = labels.get("__name__")
        if signal := gpu_utilisation(f"{name or ''} {expression}"):
            if ignored(signal) not in part.ignored:
                part.ignored.append(ignored(signal))
        elif name is not None:
            raw = ",".join(f'{k}="{_escaped(v)}"' for k, v in labels.items() if k != "__name__")
            for stamp, value in points:
                if stamp in kept:
                    scrapes.setdefault(stamp, Scrape(time=stamp)).samples.setdefault(name, {})[raw] = value
        else:
            _computed(expression, points, part, sums)
    for field, (value, source) in sums.items():
        part.add(field, value, source, "query")
    return [scrapes[stamp] for stamp in sorted(scrapes)]


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _spread(stamps: list[float]) -> list[float]:
    if len(stamps) <= MAX_SCRAPES:
        return stamps
    step = (len(stamps) - 1) / (MAX_SCRAPES - 1)
    return [stamps[round(i * step)] for i in range(MAX_SCRAPES)]


def _computed(expression: str, points: list[Point], part: Partial, sums: dict[str, tuple[float, str]]) -> None:
    """A computed series: its mean over the range. Rates and gauges of several series add, latencies take the
    largest.
    """
    good = [value for _, value in points if math.isfinite(value) and value >= 0]
    target = _target(expression)
    if target is None or not good:
        what = f"expression {expression}" if expression else "a computed series without its expression"
        part.unread.append(
            excerpt(f"{part.what}: {what} was not understood" if good else f"{part.what}: no finite value in {what}")
        )
        return
    field, scale, adds = target
    mean = sum(good) / len(good) * scale
    if field == "kv_usage" and mean > 1.0:
        mean /= 100  # dashboards multiply the gauge for a percent axis
    over = "" if len(good) == 1 else f", mean of {len(good)} points"
    source = f"query: {excerpt(expression, 120)}{over}"
    if field not in sums:
        sums[field] = (mean, source)
    else:
        sums[field] = (sums[field][0] + mean if adds else max(sums[field][0], mean), source)


def _target(expression: str) -> tuple[str, float, bool] | None:
    """(field, factor, whether several series add) of an expression."""
    text = expression.removeprefix("Expr: ")
    if match := _QUANTILE.search(text):
        quantile = {0.5: "p50", 0.9: "p90", 0.95: "p95", 0.99: "p99"}.get(float(match.group(1)))
        field = f"{_LATENCY.get(match.group(2), '')}_{quantile}"
        return (field, 1000.0, False) if field in _FIELDS else None
    if match := _MEAN.search(text):
        if match.group(1) in _SIZE:
            return _SIZE[match.group(1)], 1.0, False
        field = f"{_LATENCY.get(match.group(1), '')}_mean"
        return (field, 1000.0, False) if field in _FIELDS else None
    if "/" in text:
        return None
    if match := _RATE.search(text):
        field = _RATES.get(match.group(1), "")
        return (field, 1.0, True) if field else None
    if (match := _PLAIN.search(text)) and match.group(1) in _GAUGES:
        field = _GAUGES[match.group(1)]
        return field, 1.0, field != "kv_usage"
    return None
