"""inference-perf (kubernetes-sigs): ``summary_lifecycle_metrics.json`` and ``stage_N_lifecycle_metrics.json``.

Times are in seconds. ``time_per_output_token`` excludes the first token (a TPOT), ``inter_token_latency`` is per gap
(an ITL), ``normalized_time_per_output_token`` is the whole request over its tokens and is not read. Without a
concurrency in the file it follows from Little's law: request rate x request latency.
"""

from collections.abc import Mapping

from ...domain import Json
from ..reading import Partial

__all__ = ["read_json"]

TOOL = "inference-perf"
LATENCIES = (
    ("time_to_first_token", "ttft_ms"),
    ("time_per_output_token", "tpot_ms"),
    ("inter_token_latency", "itl_ms"),
    ("request_latency", "e2e_ms"),
)
RATES = (
    ("output_tokens_per_sec", "output_tok_s"),
    ("total_tokens_per_sec", "total_tok_s"),
    ("input_tokens_per_sec", "prompt_tok_s"),
    ("requests_per_sec", "request_rate"),
)


def read_json(document: Json) -> Partial | None:
    """Read one report."""
    successes = document.get("successes") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(successes, dict):
        return None
    latency, throughput = _inside(successes, "latency"), _inside(successes, "throughput")
    if not latency and not throughput:
        return None
    part = Partial(what=f"{TOOL} report")
    for key, field in LATENCIES:
        summary = _inside(latency, key)
        for statistic in ("mean", "p50", "p90", "p95", "p99"):
            value = summary.get("median" if statistic == "p50" else statistic)
            part.add(f"{field}_{statistic}", value, f"{TOOL}: {key} {statistic}", "client", 1000)
    for key, field in RATES:
        part.add(field, throughput.get(key), f"{TOOL}: {key}", "client")
    part.add("input_tokens", _inside(successes, "prompt_len").get("mean"), f"{TOOL}: prompt_len mean", "client")
    part.add("output_tokens", _inside(successes, "output_len").get("mean"), f"{TOOL}: output_len mean", "client")
    part.add("requests", successes.get("count"), f"{TOOL}: successes count", "client")
    part.add("failed", _inside(document, "failures").get("count"), f"{TOOL}: failures count", "client")
    _concurrency(_inside(document, "load_summary"), part)
    return part if part.readings else None


def _inside(tree: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = tree.get(key)
    return value if isinstance(value, dict) else {}


def _concurrency(load: Mapping[str, Json], part: Partial) -> None:
    for key in ("concurrency", "concurrency_level"):
        if load.get(key):
            part.add("concurrency", load.get(key), f"{TOOL}: load_summary {key}", "client")
            return
    rate, latency = part.get("request_rate"), part.get("e2e_ms_mean")
    if rate is not None and latency is not None:
        part.add("concurrency", rate * latency / 1000, f"{TOOL}: request rate x request latency", "client")
