"""``core-metrics`` and ``gpu-util-ignored``: what must be there, and what is never looked at."""

from ...domain import Ignored, Observation, Refusal

__all__ = ["core_metrics", "gpu_utilization_ignored"]

ASK = {
    "ttft": "TTFT: ttft_ms_mean or ttft_ms_p99; in vllm bench serve, and vllm:time_to_first_token_seconds in /metrics",
    "itl": "ITL: itl_ms_mean or itl_ms_p99 (or tpot_ms_mean); /metrics has vllm:inter_token_latency_seconds",
    "throughput": "throughput: output_tok_s; from /metrics it takes two scrapes of vllm:generation_tokens_total",
    "concurrency": "concurrency: requests in flight as the client offers them, or vllm:num_requests_running",
}


def core_metrics(seen: Observation) -> Refusal | None:
    """Refuse to name a bottleneck while one of the four core metrics is missing, naming exactly those."""
    missing = seen.missing_core()
    if not missing:
        return None
    names = ", ".join({"ttft": "TTFT", "itl": "ITL"}.get(name, name) for name in missing)
    return Refusal(
        rule="core-metrics",
        message=f"No bottleneck is named without {names}. Missing: {names}. Two scrapes of /metrics under load, half a minute "
        "apart (curl -s HOST:8000/metrics), hold all four.",
        ask=tuple(ASK[name] for name in missing),
    )


def gpu_utilization_ignored(seen: Observation) -> tuple[Ignored, ...]:
    """What the readers set aside; utilisation among it carries this rule's reason."""
    return seen.ignored
