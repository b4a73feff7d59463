"""``vllm bench throughput`` and ``vllm bench latency``: offline runs of the engine, JSON and printed lines.

A throughput run has no client and no TTFT; its figures are output and total tokens per second. A latency run times
whole batches: its mean is the end-to-end time of one batch.
"""

from ...domain import Json
from ..lazy import Lazy
from ..reading import Partial, number

__all__ = ["read_json", "read_text"]

_RATES = Lazy(r"Throughput: ([\d.]{1,20}) requests/s, ([\d.]{1,20}) total tokens/s, ([\d.]{1,20}) output tokens/s")
_TOTALS = Lazy(r"Total num (prompt|output) tokens:\s{1,10}(\d{1,15})")
_LATENCY = Lazy(r"Avg latency: ([\d.]{1,20}) seconds")
_P99 = Lazy(r"99% percentile latency: ([\d.]{1,20}) seconds")


def read_json(document: Json) -> Partial | None:
    """Read the ``--output-json`` of either."""
    if not isinstance(document, dict):
        return None
    if "requests_per_second" in document and "tokens_per_second" in document:
        part = Partial(what="vllm bench throughput result")
        tool = "vllm bench throughput"
        part.add("request_rate", document["requests_per_second"], f"{tool}: requests_per_second", "client")
        part.add("total_tok_s", document["tokens_per_second"], f"{tool}: tokens_per_second", "client")
        part.add("requests", document.get("num_requests"), f"{tool}: num_requests", "client")
        return part
    if "avg_latency" in document and "percentiles" in document:
        part = Partial(what="vllm bench latency result")
        part.add("e2e_ms_mean", document["avg_latency"], "vllm bench latency: avg_latency", "client", 1000)
        percentiles = document["percentiles"]
        if isinstance(percentiles, dict):
            part.add("e2e_ms_p99", percentiles.get("99"), "vllm bench latency: percentiles 99", "client", 1000)
        return part
    return None


def read_text(text: str) -> Partial | None:
    """Read the printed lines of either."""
    if match := _RATES.search(text):
        part = Partial(what="vllm bench throughput printed report")
        for name, value in zip(("request_rate", "total_tok_s", "output_tok_s"), match.groups(), strict=True):
            part.add(name, _float(value), "vllm bench throughput: Throughput", "client")
        rate, output = part.get("request_rate"), part.get("output_tok_s")
        totals = dict(_TOTALS.pairs(text[match.end() : match.end() + 500]))
        if rate and output is not None:
            part.add("output_tokens", output / rate, "vllm bench throughput: output tokens/s over requests/s", "client")
            total = part.get("total_tok_s")
            if total is not None and total >= output:
                source = "vllm bench throughput: prompt tokens/s over requests/s"
                part.add("input_tokens", (total - output) / rate, source, "client")
        if totals and (tokens := number(float(totals.get("output", 0)))) and output:
            part.add("requests", round(tokens / output * (rate or 0.0)), "vllm bench throughput: totals", "client")
        return part
    if match := _LATENCY.search(text):
        part = Partial(what="vllm bench latency printed report")
        part.add("e2e_ms_mean", _float(match.group(1)), "vllm bench latency: Avg latency", "client", 1000)
        if tail := _P99.search(text):
            part.add("e2e_ms_p99", _float(tail.group(1)), "vllm bench latency: 99% percentile", "client", 1000)
        return part
    return None


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
