"""Results of load generators. One module per tool; each knows its own tool's format and nothing of the others.

A module offers ``read_json(document) -> Partial | None`` and, where the tool prints a report, ``read_text(text)``. They
return None for what is not theirs. Readings are of kind ``client``: what a client saw over one run.
"""

from collections.abc import Callable, Iterable

from ...domain import Json
from ..reading import Partial, excerpt
from ..tables import delimited_rows
from . import aiperf, benchmark_report, guidellm, inference_perf, llmperf, sglang, vllm_offline, vllm_serve

__all__ = ["is_sweep", "read_bench_json", "read_bench_text"]

_JSON: tuple[Callable[[Json], Partial | None], ...] = (
    vllm_serve.read_json,
    sglang.read_json,
    guidellm.read_json,
    aiperf.read_json,
    llmperf.read_json,
    inference_perf.read_json,
    benchmark_report.read_json,
    vllm_offline.read_json,
)
_TEXT: tuple[Callable[[str], Partial | None], ...] = (
    sglang.read_text,
    vllm_serve.read_text,
    vllm_offline.read_text,
    guidellm.read_text,
    aiperf.read_text,
    llmperf.read_text,
)


def read_bench_json(document: Json) -> Partial | None:
    """Read a result file. A list (of runs, of sweep points) is read at its heaviest load, and says so."""
    if isinstance(document, list):
        parts = [part for item in document[:2000] if (part := read_bench_json(item)) is not None]
        return heaviest(parts) if parts else None
    return next((part for read in _JSON if (part := read(document)) is not None), None)


def read_bench_text(text: str) -> Partial | None:
    """Read a printed report, or the ``summary.csv`` of ``vllm bench sweep``: one run per row."""
    if is_sweep(text):
        header, *rows = delimited_rows(text)
        return read_bench_json([{k: _cell(v) for k, v in zip(header, row, strict=False)} for row in rows])
    if benchmark_report.looks_like_report(text) and (report := benchmark_report.read_yaml(text)) is not None:
        return report
    return next((part for read in _TEXT if (part := read(text)) is not None), None)


def is_sweep(text: str) -> bool:
    """True for the ``summary.csv`` of ``vllm bench sweep``."""
    first = text[:4000].lstrip().partition("\n")[0]
    return "mean_ttft_ms" in first and "output_throughput" in first and "," in first


def _cell(text: str) -> Json:
    """A CSV cell as JSON holds it; an empty cell is null."""
    try:
        return float(text) if text else None
    except ValueError:
        return text


def heaviest(parts: Iterable[Partial]) -> Partial:
    """Of several runs the one under most load: highest concurrency, then request rate, then output rate."""
    ranked = sorted(parts, key=load, reverse=True)
    best = ranked[0]
    seen = {load(best)}
    for other in ranked[1:]:
        if load(other) not in seen:
            seen.add(load(other))
            if len(seen) <= 6:
                best.unread.append(excerpt(f"{other.what} at {_where(other)}: the run at {_where(best)} was read"))
    return best


def load(part: Partial) -> tuple[float, float, float]:
    """How heavy a run was."""
    return (part.get("concurrency") or 0.0, part.get("request_rate") or 0.0, part.get("output_tok_s") or 0.0)


def _where(part: Partial) -> str:
    for name, unit in (
        ("concurrency", "concurrency"),
        ("request_rate", "requests/s"),
        ("output_tok_s", "output tok/s"),
    ):
        if (value := part.get(name)) is not None:
            return f"{value:.6g} {unit}"
    return "an unknown load"
