"""AIPerf and GenAI-Perf: ``profile_export_*.json``, their CSV, and the console table.

Both divide (request latency - TTFT) by (output length - 1) and call it inter-token latency: that is a TPOT, one value
per request. AIPerf's gap between two streamed chunks, the ITL of this product, is its ``inter_chunk_latency``.
"""

from collections.abc import Iterator, Mapping

from ...domain import Json
from ..reading import Partial, number
from ..tables import cell_number, delimited_rows, grid_rows

__all__ = ["read_json", "read_text"]

LATENCIES = {
    "time_to_first_token": "ttft_ms",
    "inter_token_latency": "tpot_ms",
    "inter_chunk_latency": "itl_ms",
    "request_latency": "e2e_ms",
}
AVERAGES = {
    "output_token_throughput": "output_tok_s",
    "total_token_throughput": "total_tok_s",
    "request_throughput": "request_rate",
    "input_sequence_length": "input_tokens",
    "output_sequence_length": "output_tokens",
    "request_count": "requests",
    "error_request_count": "failed",
}
STATISTICS = {"avg": "mean", "p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}
TO_MS = {"ms": 1.0, "milliseconds": 1.0, "s": 1e3, "sec": 1e3, "seconds": 1e3, "us": 1e-3, "ns": 1e-6}


def read_json(document: Json) -> Partial | None:
    """Read one export."""
    if not isinstance(document, dict):
        return None
    ttft = document.get("time_to_first_token")
    if not (isinstance(ttft, dict) and ("avg" in ttft or "p50" in ttft)) and not _has_average(
        document, "output_token_throughput"
    ):
        return None
    tool = "AIPerf" if "aiperf_version" in document or "schema_version" in document else "AIPerf/GenAI-Perf"
    part = Partial(what=f"{tool} result")
    _read({k: v for k, v in document.items() if isinstance(v, dict)}, tool, part)
    concurrency = next(_search(document.get("input_config"), "concurrency"), None)
    if concurrency is not None:
        part.add("concurrency", concurrency, f"{tool}: input_config concurrency", "client")
    else:
        _little(tool, part)
    models = next(_strings(document.get("input_config"), ("model_names", "model", "models")), None)
    part.model_name = models
    return part if part.readings else None


def _has_average(document: Mapping[str, Json], key: str) -> bool:
    value = document.get(key)
    return isinstance(value, dict) and "avg" in value


def _read(metrics: Mapping[str, Mapping[str, Json]], tool: str, part: Partial) -> None:
    for key, field in LATENCIES.items():
        metric = metrics.get(key, {})
        unit = metric.get("unit")
        scale = TO_MS.get(unit.lower(), 1.0) if isinstance(unit, str) else 1.0
        for statistic, suffix in STATISTICS.items():
            part.add(f"{field}_{suffix}", metric.get(statistic), f"{tool}: {key} {statistic}", "client", scale)
    for key, field in AVERAGES.items():
        part.add(field, metrics.get(key, {}).get("avg"), f"{tool}: {key}", "client")
    rate, length = part.get("request_rate"), part.get("input_tokens")
    output = part.get("output_tok_s")
    if part.get("total_tok_s") is None and rate is not None and length is not None and output is not None:
        part.add(
            "total_tok_s", output + rate * length, f"{tool}: output throughput + request rate x input length", "client"
        )


def _little(tool: str, part: Partial) -> None:
    rate, latency = part.get("request_rate"), part.get("e2e_ms_mean")
    if rate is not None and latency is not None:
        source = f"{tool}: request rate x request latency (the concurrency set is not in the export)"
        part.add("concurrency", rate * latency / 1000, source, "client")


def _search(tree: Json, key: str, budget: int = 2000) -> Iterator[float]:
    """Numbers under `key` anywhere in a configuration, breadth first."""
    level: list[Json] = [tree]
    while level and budget > 0:
        deeper: list[Json] = []
        for node in level:
            budget -= 1
            if isinstance(node, dict):
                if (found := number(node.get(key))) is not None and found > 0:
                    yield found
                deeper += node.values()
            elif isinstance(node, list):
                deeper += node
        level = deeper[:budget] if budget > 0 else []


def _strings(tree: Json, keys: tuple[str, ...]) -> Iterator[str]:
    level: list[Json] = [tree]
    for _ in range(4):
        for node in level:
            if isinstance(node, dict):
                for key in keys:
                    value = node.get(key)
                    value = value[0] if isinstance(value, list) and value else value
                    if isinstance(value, str) and value:
                        yield value
        level = [child for node in level if isinstance(node, dict) for child in node.values()][:500]


def read_text(text: str) -> Partial | None:
    """Read the console table or the CSV: rows of metrics, columns of statistics."""
    if "Time to First Token" not in text and "Time To First Token" not in text and "Time to First" not in text:
        return None
    rows = list(grid_rows(text)) if any(bar in text for bar in "┃│|") else delimited_rows(text)
    header: dict[int, str] = {}
    metrics: dict[str, dict[str, Json]] = {}
    for row in rows:
        lowered = [cell.lower() for cell in row]
        if lowered and lowered[0] in ("metric", "statistic"):
            header = {i: "avg" if cell == "value" else cell for i, cell in enumerate(lowered)}
        elif header and row:
            name, unit = _label(row[0])
            values: dict[str, Json] = {
                header[i]: cell_number(cell)
                for i, cell in enumerate(row)
                if i and i in header and cell_number(cell) is not None
            }
            if name in LATENCIES or name in AVERAGES:
                metrics.setdefault(name, {**values, "unit": unit})
    if not metrics.keys() & LATENCIES.keys():
        return None
    part = Partial(what="AIPerf/GenAI-Perf table")
    _read(metrics, "AIPerf/GenAI-Perf", part)
    _little("AIPerf/GenAI-Perf", part)
    return part if part.readings else None


def _label(cell: str) -> tuple[str, str]:
    """``Time to First Token (ms)`` as a metric key and its unit."""
    name, _, unit = cell.partition("(")
    return "_".join(name.lower().split()), unit.rstrip(") ").strip()
