"""GuideLLM: ``benchmarks.json`` of 0.1 to 0.8 and the console tables.

Its inter-token latency is (last - first token) / (tokens - 1) per request, which is a TPOT here; its own
``time_per_output_token`` counts the first token too, so it is no TPOT and is not read. Request latency is in seconds.
A file holds one benchmark per strategy or rate; the heaviest is read.
"""

import re
from collections.abc import Mapping

from ...domain import Json
from ..lazy import Lazy
from ..reading import Partial, excerpt, number
from ..tables import cell_number, grid_rows

__all__ = ["read_json", "read_text"]

TOOL = "GuideLLM"
LATENCIES = (
    ("time_to_first_token_ms", "ttft_ms", 1.0, ("mean", "p50", "p90", "p95", "p99")),
    ("inter_token_latency_ms", "tpot_ms", 1.0, ("mean", "p50", "p90", "p95", "p99")),
    ("request_latency", "e2e_ms", 1000.0, ("mean", "p50", "p90", "p95", "p99")),
)
MEANS = (
    ("output_tokens_per_second", "output_tok_s"),
    ("tokens_per_second", "total_tok_s"),
    ("prompt_tokens_per_second", "prompt_tok_s"),
    ("requests_per_second", "request_rate"),
    ("prompt_token_count", "input_tokens"),
    ("output_token_count", "output_tokens"),
)


def read_json(document: Json) -> Partial | None:
    """Read a report, or one benchmark of it."""
    if not isinstance(document, dict):
        return None
    benchmarks = document.get("benchmarks")
    if isinstance(benchmarks, list):
        parts = [part for item in benchmarks[:500] if (part := _benchmark(item)) is not None]
        return _heaviest(parts) if parts else None
    return _benchmark(document)


def _heaviest(parts: list[Partial]) -> Partial:
    best = max(
        parts, key=lambda p: (p.get("concurrency") or 0.0, p.get("request_rate") or 0.0, p.get("output_tok_s") or 0.0)
    )
    if len(parts) > 1:
        at = best.get("concurrency")
        best.unread.append(
            excerpt(f"{TOOL}: {len(parts)} benchmarks; the heaviest was read (concurrency {at or 0:.4g})")
        )
    return best


def _benchmark(item: Json) -> Partial | None:
    metrics = item.get("metrics") if isinstance(item, dict) else None
    if not isinstance(metrics, dict) or "time_to_first_token_ms" not in metrics:
        return None
    part = Partial(what=f"{TOOL} result")
    for key, field, scale, statistics in LATENCIES:
        done = _summary(metrics.get(key), "successful")
        for statistic in statistics:
            part.add(f"{field}_{statistic}", _statistic(done, statistic), f"{TOOL}: {key} {statistic}", "client", scale)
    for key, field in MEANS:
        status = "total" if key.endswith("per_second") else "successful"
        part.add(field, _statistic(_summary(metrics.get(key), status), "mean"), f"{TOOL}: {key} mean", "client")
    totals = metrics.get("request_totals")
    if isinstance(totals, dict):
        part.add("requests", totals.get("successful"), f"{TOOL}: request_totals successful", "client")
        part.add("failed", totals.get("errored"), f"{TOOL}: request_totals errored", "client")
    streams = _streams(item)
    if streams is not None:
        part.add("concurrency", streams, f"{TOOL}: strategy streams", "client")
    else:
        held = _summary(metrics.get("request_concurrency"), "total")
        part.add("concurrency", _statistic(held, "mean"), f"{TOOL}: request_concurrency mean", "client")
    return part if part.readings else None


def _summary(metric: Json, status: str) -> Mapping[str, Json]:
    """The distribution of one status; some versions and converters leave the status level out."""
    if not isinstance(metric, dict):
        return {}
    for key in (status, "successful", "total"):
        if isinstance(found := metric.get(key), dict):
            return found
    return metric if "mean" in metric else {}


def _statistic(summary: Mapping[str, Json], name: str) -> Json:
    if name == "p50":
        return summary.get("median", summary.get("p50"))
    percentiles = summary.get("percentiles")
    if name != "mean" and isinstance(percentiles, dict):
        return percentiles.get(name)
    return summary.get(name)


def _streams(item: Json) -> float | None:
    """Concurrent streams of the strategy (0.3 and later under ``config``, before under ``args`` or ``scheduler``)."""
    if not isinstance(item, dict):
        return None
    for holder in ("config", "args", "scheduler"):
        inside = item.get(holder)
        strategy = inside.get("strategy") if isinstance(inside, dict) else None
        if isinstance(strategy, dict):
            kind = str(strategy.get("type_", ""))
            if kind == "synchronous":
                return 1.0
            if kind == "concurrent" and (streams := number(strategy.get("streams"))):
                return streams
    return None


# -- console -----------------------------------------------------------------------------------------------------

_GROUPS = (
    (Lazy(r"\bttft\b", re.IGNORECASE), "ttft_ms"),
    (Lazy(r"\bitl\b", re.IGNORECASE), "tpot_ms"),
)
_OLD = Lazy(r"Metadata *\| *Request Stats")


def read_text(text: str) -> Partial | None:
    """Read the console tables: ``Benchmarks Stats`` of 0.1 to 0.3, the two statistics tables since."""
    if _OLD.search(text):
        return _old_console(text)
    if "Request Latency Statistics" not in text and "Server Throughput Statistics" not in text:
        return None
    return _new_console(text)


def _old_console(text: str) -> Partial | None:
    """Columns: name, per second, concurrency, output, total, then mean, median, p99 of latency (s), TTFT, ITL, TPOT."""
    rows = [row for row in grid_rows(text[text.find("Request Stats") - 40 :]) if len(row) >= 14]
    parts = []
    for row in rows:
        values = [cell_number(cell) for cell in row[1:14]]
        if any(value is None for value in values):
            continue
        part = Partial(what=f"{TOOL} console table")
        names = (
            ("request_rate", 1.0), ("concurrency", 1.0), ("output_tok_s", 1.0), ("total_tok_s", 1.0),
            ("e2e_ms_mean", 1e3), ("", 0.0), ("e2e_ms_p99", 1e3), ("ttft_ms_mean", 1.0), ("ttft_ms_p50", 1.0),
            ("ttft_ms_p99", 1.0), ("tpot_ms_mean", 1.0), ("tpot_ms_p50", 1.0), ("tpot_ms_p99", 1.0),
        )  # fmt: skip
        for (name, scale), value in zip(names, values, strict=True):
            if name:
                part.add(name, value, f"{TOOL}: console, {row[0]}", "client", scale)
        parts.append(part)
    return _heaviest(parts) if parts else None


def _new_console(text: str) -> Partial | None:
    """Two tables, one row per benchmark in the same order; which columns there are is read off the heading."""
    latency = _columns(text, "Request Latency Statistics")
    throughput = _columns(text, "Server Throughput Statistics")
    parts = []
    for index in range(max(len(latency), len(throughput))):
        part = Partial(what=f"{TOOL} console tables")
        columns = [*(latency[index : index + 1]), *(throughput[index : index + 1])]
        for (group, statistic), value in (pair for row in columns for pair in row.items()):
            field = _field(group, statistic)
            if field is not None and part.get(field[0]) is None:
                part.add(field[0], value, f"{TOOL}: console, {group} {statistic}", "client", field[1])
        if part.readings:
            parts.append(part)
    return _heaviest(parts) if parts else None


def _field(group: str, statistic: str) -> tuple[str, float] | None:
    """The observation field of one console column, and the factor to its unit."""
    wanted = {"mdn": "p50", "median": "p50", **{s: s for s in ("mean", "p50", "p90", "p95", "p99")}}.get(statistic)
    lowered = group.lower()
    if wanted is None:
        return None
    for pattern, field in _GROUPS:
        if pattern.search(lowered):
            return f"{field}_{wanted}", 1.0
    if wanted != "mean":
        return None
    if "latency" in lowered:
        return "e2e_ms_mean", 1e3
    for words, field in (
        ("concurrency", "concurrency"),
        ("output tok", "output_tok_s"),
        ("total tok", "total_tok_s"),
        ("input tok", "prompt_tok_s"),
        ("requests per sec", "request_rate"),
    ):
        if words in lowered:
            return field, 1.0
    return None


def _columns(text: str, title: str) -> list[dict[tuple[str, str], float]]:
    """The rows of a console table as {(group and name, statistic): value}.

    The heading has three lines: groups, names, statistics. A group's cell spans as many bars as it has columns.
    """
    at = text.find(title)
    if at < 0:
        return []
    lines = [line for line in text[at : at + 20_000].splitlines()[1:] if "|" in line]
    table: list[str] = []
    rules = 0
    for line in lines:
        if set(line.strip()) <= set("|=- "):
            rules += "=" in line
            if rules == 2:
                break
            continue
        table.append(line.strip())
    if len(table) < 4:
        return []
    groups, names, statistics = (_spread(line) for line in table[:3])
    rows = []
    for line in table[3:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        row: dict[tuple[str, str], float] = {}
        for i, cell in enumerate(cells):
            if i and i < min(len(statistics), len(names), len(groups)) and (value := cell_number(cell)) is not None:
                row.setdefault((f"{groups[i]} {names[i]}", statistics[i].lower()), value)
        rows.append(row)
    return rows


def _spread(line: str) -> list[str]:
    """Cells of a heading line, each repeated over the columns it spans: ``| TTFT ||`` is two columns."""
    out: list[str] = []
    for text, bars in re.findall(r"([^|]+)(\|+)", line.strip().removeprefix("|")):
        out += [text.strip()] * len(bars)
    return out
