"""SGLang's ``bench_serving``: JSON lines of ``--output-file`` and the printed report.

It names vLLM's figures almost as vLLM does. Its `concurrency` is measured (sum of latencies over duration), not the
limit.
"""

from ...domain import Json
from ..reading import Partial, number
from .vllm_serve import arrivals, percentiles, report_rows

__all__ = ["read_json", "read_text"]

TOOL = "sglang bench_serving"


def read_json(document: Json) -> Partial | None:
    """Read one result object."""
    if not isinstance(document, dict) or "mean_ttft_ms" not in document or "output_throughput" not in document:
        return None
    if "mean_e2e_latency_ms" not in document and "sharegpt_output_len" not in document:
        return None
    part = Partial(what=f"{TOOL} result")
    percentiles(document, TOOL, part)
    for key, name in (
        ("output_throughput", "output_tok_s"),
        ("input_throughput", "prompt_tok_s"),
        ("request_throughput", "request_rate"),
        ("mean_e2e_latency_ms", "e2e_ms_mean"),
        ("p99_e2e_latency_ms", "e2e_ms_p99"),
        ("completed", "requests"),
        ("accept_length", "acceptance_length"),
    ):
        part.add(name, document.get(key), f"{TOOL}: {key}", "client")
    total = document.get("total_throughput")
    both = [number(document.get("input_throughput")), number(document.get("output_throughput"))]
    if total is not None:
        part.add("total_tok_s", total, f"{TOOL}: total_throughput", "client")
    elif None not in both:
        part.add("total_tok_s", sum(x or 0.0 for x in both), f"{TOOL}: input plus output throughput", "client")
    if done := number(document.get("completed")):
        for key, name in (("total_input_tokens", "input_tokens"), ("total_output_tokens", "output_tokens")):
            if (tokens := number(document.get(key))) is not None:
                part.add(name, tokens / done, f"{TOOL}: {key} / completed", "client")
    if number(document.get("max_concurrency")):
        arrivals(part, TOOL, document.get("max_concurrency"), document.get("request_rate"), None)
    else:
        part.add("concurrency", document.get("concurrency"), f"{TOOL}: concurrency (measured)", "client")
    return part


ROWS = {
    "concurrency": "concurrency",
    "mean e2e latency (ms)": "mean_e2e_latency_ms",
    "p99 e2e latency (ms)": "p99_e2e_latency_ms",
    "input token throughput (tok/s)": "input_throughput",
    "total token throughput (tok/s)": "total_throughput",
    "max request concurrency": "max_concurrency",
    "accept length": "accept_length",
}


def read_text(text: str) -> Partial | None:
    """Read the printed report, told from vLLM's by its ``E2E Latency`` rows."""
    at = text.rfind("Serving Benchmark Result")
    if at < 0 or "E2E Latency (ms)" not in text[at : at + 20_000]:
        return None
    rows = report_rows(text[at : at + 20_000], ROWS)
    document: dict[str, Json] = {"mean_ttft_ms": None, "output_throughput": None, "mean_e2e_latency_ms": None, **rows}
    part = read_json(document)
    if part is not None:
        part.what = f"{TOOL} printed report"
    return part if part is not None and part.readings else None
