"""The traffic of a benchmark from its result: ``vllm bench serve --save-result``, with ``--save-detailed`` in full."""

from collections.abc import Mapping
from typing import Any

from ...domain import Json, Lengths, Workload
from .bad import BadWorkload, checked, count, positive

__all__ = ["is_bench_result", "read_bench_result"]

_MOST = 50_000


def is_bench_result(document: Mapping[str, Any]) -> bool:
    """Whether an object is such a result."""
    return "total_input_tokens" in document and ("num_prompts" in document or "completed" in document)


def read_bench_result(document: Mapping[str, Json]) -> Workload:
    """The traffic that was sent.

    Raises:
        BadWorkload: it holds no request that was answered.
    """
    done = count(document.get("completed"))
    prompt, output = (positive(document.get(f"total_{kind}_tokens")) for kind in ("input", "output"))
    if done is None or prompt is None or output is None:
        raise BadWorkload("the benchmark result has no completed request with tokens")
    notes: list[str] = []
    requests = count(document.get("num_prompts")) or done
    rate, users = positive(document.get("request_rate")), count(document.get("max_concurrency"))
    fields: dict[str, Any] = {"requests": requests, "source": "vllm bench serve result"}
    if rate is not None:
        fields |= {"arrivals": "open", "request_rate": rate, "concurrency": users}
        fields["burstiness"] = positive(document.get("burstiness")) or 1.0
    elif users is not None and users < requests:
        fields |= {"arrivals": "closed", "concurrency": users}
    else:
        fields |= {"arrivals": "at_once"}
    fields["input"] = _lengths(document.get("input_lens"), prompt / done, "prompts", notes)
    fields["output"] = _lengths(document.get("output_lens"), output / done, "outputs", notes)
    return checked(fields, notes)


def _lengths(values: Json, mean: float, what: str, notes: list[str]) -> Lengths:
    if isinstance(values, list):
        known = [
            int(value)
            for value in values[:_MOST]
            if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**7
        ]
        if known and len(known) == min(len(values), _MOST):
            return Lengths(mean=sum(known) / len(known), shape="empirical", values=tuple(known))
    notes.append(f"the result has only the mean length of {what}: all are taken to be of {mean:.6g} tokens")
    return Lengths(mean=mean)
