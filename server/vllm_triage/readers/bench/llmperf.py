"""LLMPerf: the ``*_summary.json`` of ``token_benchmark_ray.py``, and what it prints.

Its ``inter_token_latency_s`` is the whole request divided by its tokens, the first token's wait included (the OpenAI
client adds the TTFT to the gaps before they are averaged). That is neither an ITL nor a TPOT, so it is not read as one;
the TPOT is taken from the means: (end to end - TTFT) / (output tokens - 1). Times are in seconds, requests per minute.
"""

import re

from ...domain import Json
from ..lazy import Lazy
from ..reading import Partial, number

__all__ = ["read_json", "read_text"]

TOOL = "LLMPerf"
FIELDS = (
    ("results_ttft_s_mean", "ttft_ms_mean", 1e3),
    ("results_ttft_s_quantiles_p50", "ttft_ms_p50", 1e3),
    ("results_ttft_s_quantiles_p90", "ttft_ms_p90", 1e3),
    ("results_ttft_s_quantiles_p95", "ttft_ms_p95", 1e3),
    ("results_ttft_s_quantiles_p99", "ttft_ms_p99", 1e3),
    ("results_end_to_end_latency_s_mean", "e2e_ms_mean", 1e3),
    ("results_end_to_end_latency_s_quantiles_p50", "e2e_ms_p50", 1e3),
    ("results_end_to_end_latency_s_quantiles_p90", "e2e_ms_p90", 1e3),
    ("results_end_to_end_latency_s_quantiles_p95", "e2e_ms_p95", 1e3),
    ("results_end_to_end_latency_s_quantiles_p99", "e2e_ms_p99", 1e3),
    ("results_mean_output_throughput_token_per_s", "output_tok_s", 1.0),
    ("results_num_completed_requests_per_min", "request_rate", 1 / 60),
    ("results_number_input_tokens_mean", "input_tokens", 1.0),
    ("results_number_output_tokens_mean", "output_tokens", 1.0),
    ("results_num_completed_requests", "requests", 1.0),
    ("results_number_errors", "failed", 1.0),
    ("num_concurrent_requests", "concurrency", 1.0),
)


def read_json(document: Json) -> Partial | None:
    """Read one summary; the nested form (``{"results": {"ttft_s": {"mean": ...}}}``) is flattened first."""
    if not isinstance(document, dict):
        return None
    flat = dict(document)
    if isinstance(document.get("results"), dict):
        _flatten(document["results"], "results", flat)
    if "results_ttft_s_mean" not in flat and "results_ttft_s_quantiles_p50" not in flat:
        return None
    part = Partial(what=f"{TOOL} summary")
    for key, name, scale in FIELDS:
        part.add(name, flat.get(key), f"{TOOL}: {key}", "client", scale)
    ttft, latency, length = (part.get(n) for n in ("ttft_ms_mean", "e2e_ms_mean", "output_tokens"))
    if ttft is not None and latency is not None and length is not None and length > 1 and latency >= ttft:
        source = f"{TOOL}: (mean end to end - mean TTFT) / (mean output tokens - 1)"
        part.add("tpot_ms_mean", (latency - ttft) / (length - 1), source, "client")
    if "results_inter_token_latency_s_mean" in flat:
        part.unread.append(
            f"{TOOL}: inter_token_latency_s averages the first token's wait in; it is no ITL and was not used"
        )
    model = flat.get("model")
    part.model_name = model if isinstance(model, str) else None
    rate, prompt, output = part.get("request_rate"), part.get("input_tokens"), part.get("output_tok_s")
    if rate is not None and prompt is not None and output is not None:
        part.add(
            "total_tok_s", output + rate * prompt, f"{TOOL}: output throughput + request rate x input length", "client"
        )
    return part


def _flatten(tree: Json, prefix: str, into: dict[str, Json], depth: int = 0) -> None:
    if isinstance(tree, dict) and depth < 4:
        for key, value in tree.items():
            _flatten(value, f"{prefix}_{key}", into, depth + 1)
    elif number(tree) is not None:
        into.setdefault(prefix, tree)


def read_text(text: str) -> Partial | None:
    """Read what it prints: a metric's name on a line, its quantiles and mean below it, then the totals."""
    at = text.find("Overall Output Throughput:")
    if at < 0:
        return None
    results: dict[str, Json] = {}
    for name, body in _BLOCK.pairs(text[max(0, at - 20_000) : at]):
        found = {key: float(value) for key, value in _STATISTIC.pairs(body)}
        quantiles: dict[str, Json] = {key: value for key, value in found.items() if key.startswith("p")}
        results[name] = {"quantiles": quantiles, "mean": found.get("mean")}
    for label, value in _TOTAL.pairs(text[max(0, at - 2000) : at + 2000]):
        results[TOTALS[label]] = float(value)
    part = read_json({"results": results})
    if part is None:
        return None
    part.what = f"{TOOL} printed report"
    rate, latency = part.get("request_rate"), part.get("e2e_ms_mean")
    if rate is not None and latency is not None:
        source = f"{TOOL}: completed requests per minute x end to end latency (the concurrency is not printed)"
        part.add("concurrency", rate * latency / 1000, source, "client")
    return part


_BLOCK = Lazy(
    r"^(inter_token_latency_s|ttft_s|end_to_end_latency_s|number_input_tokens|number_output_tokens)[ \t]*\n"
    r"((?:[ \t]{1,12}\w{2,8} = [^\n]{1,40}\n){1,12})",
    re.MULTILINE,
)
_STATISTIC = Lazy(r"^[ \t]{1,12}(p\d{2}|mean) = (\d{1,12}(?:\.\d{1,20})?(?:e[-+]?\d{1,3})?)[ \t]*$", re.MULTILINE)
TOTALS = {
    "Overall Output Throughput": "mean_output_throughput_token_per_s",
    "Number Of Completed Requests": "num_completed_requests",
    "Completed Requests Per Minute": "num_completed_requests_per_min",
    "Number Of Errored Requests": "number_errors",
}
_TOTAL = Lazy(rf"^({'|'.join(TOTALS)}): (\d{{1,12}}(?:\.\d{{1,20}})?)[ \t]*$", re.MULTILINE)
