"""The llm-d benchmark report (v0.2), YAML or JSON, which inference-perf writes as ``inference-perf.partial.stage_N``.

``results.request_performance.aggregate`` holds requests, latency and throughput; every statistic carries its units
(``s``, ``ms``, ``s/token``). The times per token exclude the first. No concurrency is in it, so it follows from
Little's law: request rate x request latency.
"""

from ...domain import Json
from ..reading import Partial

__all__ = ["looks_like_report", "read_json", "read_yaml"]

TOOL = "benchmark report"
MAX_CHARACTERS = 60_000
"""A report of one stage has a few thousand; the parser takes a second for this many."""
LATENCIES = (
    ("time_to_first_token", "ttft_ms"),
    ("time_per_output_token", "tpot_ms"),
    ("inter_token_latency", "itl_ms"),
    ("request_latency", "e2e_ms"),
)
RATES = (
    ("output_token_rate", "output_tok_s"),
    ("total_token_rate", "total_tok_s"),
    ("input_token_rate", "prompt_tok_s"),
    ("request_rate", "request_rate"),
)
SIZES = (("input_length", "input_tokens"), ("output_length", "output_tokens"))


def looks_like_report(text: str) -> bool:
    """True for the YAML form."""
    return "request_performance:" in text and "aggregate:" in text


def read_yaml(text: str) -> Partial | None:
    """Read the YAML form; None when it is no YAML or no report."""
    import yaml  # noqa: PLC0415

    if len(text) > MAX_CHARACTERS:
        return None
    try:
        return read_json(yaml.safe_load(text))
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def read_json(document: Json) -> Partial | None:
    """Read one report."""
    aggregate = _inside(document, "results", "request_performance", "aggregate")
    if not aggregate:
        return None
    part = Partial(what=TOOL)
    for key, field in LATENCIES:
        summary = _inside(aggregate, "latency", key)
        scale = 1.0 if str(summary.get("units", "s")).startswith("ms") else 1000.0
        for statistic in ("mean", "p50", "p90", "p95", "p99"):
            part.add(f"{field}_{statistic}", summary.get(statistic), f"{TOOL}: {key} {statistic}", "client", scale)
    for key, field in RATES:
        part.add(field, _inside(aggregate, "throughput", key).get("mean"), f"{TOOL}: {key}", "client")
    requests = _inside(aggregate, "requests")
    for key, field in SIZES:
        part.add(field, _inside(requests, key).get("mean"), f"{TOOL}: {key} mean", "client")
    part.add("requests", requests.get("total"), f"{TOOL}: requests total", "client")
    part.add("failed", requests.get("failures"), f"{TOOL}: requests failures", "client")
    rate, latency = part.get("request_rate"), part.get("e2e_ms_mean")
    if rate is not None and latency is not None:
        part.add("concurrency", rate * latency / 1000, f"{TOOL}: request rate x request latency", "client")
    return part if part.readings else None


def _inside(tree: Json, *keys: str) -> dict[str, Json]:
    for key in keys:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree if isinstance(tree, dict) else {}
