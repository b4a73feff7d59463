"""``not-vllm-first``: an H100 that streams under 100 tok/s: the client first, unless arithmetic explains the figure."""

from ...domain import Accelerator, Deployment, Observation, Refusal, Roofline
from ...engine.efficiency import decode_band, gemm_share
from ..thresholds import H100_CLASS, KV_FULL, SLOW_EXPLAINED, SLOW_OUTPUT

__all__ = ["h100_class", "not_vllm_first"]


def h100_class(gpu: Accelerator | None) -> bool:
    """True for a GPU whose dense BF16 rate is that of an H100 or more."""
    return gpu is not None and gpu.vendor != "cpu" and (gpu.bf16_tflops or 0.0) >= H100_CLASS


def not_vllm_first(deployment: Deployment | None, seen: Observation, roof: Roofline) -> tuple[Refusal | None, str]:
    """Send a suspiciously slow H100 to its client first; the second value says what explains the figure instead."""
    if deployment is None or not h100_class(deployment.gpu) or seen.output_tok_s is None:
        return None, ""
    rate = seen.output_tok_s.value
    if rate >= SLOW_OUTPUT:
        return None, ""
    if why := _explained(deployment, seen, roof, rate):
        return None, f"not-vllm-first: {rate:.4g} output tok/s is low for this GPU, but {why}"
    name = deployment.gpu.name if deployment.gpu else "this GPU"
    return Refusal(
        rule="not-vllm-first",
        message=f"{rate:.4g} output tok/s on {name} is below {SLOW_OUTPUT:.0f}, and neither the roofline nor the KV "
        "pool explains it at this concurrency and length. Look outside the scheduler first: the client's tokenizer, "
        "the "
        "Python GIL in client or front end, requests sent one after another.",
        ask=(
            "Is the figure output tokens only, for the whole server (not per user or per GPU)?",
            "vllm bench serve against the same server, from the same machine: does it reach a higher rate?",
            "CPU use of the client and of the API server process (one core at 100% is the GIL)",
            "vllm:num_requests_running during the load: does the offered concurrency arrive?",
        ),
    ), ""


def _explained(deployment: Deployment, seen: Observation, roof: Roofline, rate: float) -> str:
    """What accounts for a low output rate; empty when nothing does."""
    usage = seen.kv_usage_max or seen.kv_usage
    waiting = seen.waiting_max or seen.waiting
    if usage is not None and usage.value >= KV_FULL and waiting is not None and waiting.value > 0:
        held = f"{usage.value:.0%} of it is in use and {waiting.value:.0f} requests wait for blocks"
        return f"the KV pool explains it: {held}"
    possible, limit = _possible_rate(deployment, seen, roof)
    if possible is not None and rate >= SLOW_EXPLAINED * possible:
        return f"the {limit} explains it: at this concurrency and length about {possible:.4g} output tok/s are possible"
    return ""


def _possible_rate(deployment: Deployment, seen: Observation, roof: Roofline) -> tuple[float | None, str]:
    """Output tokens per second that pool, seats, prefill and decode floor allow; and which of them is the limit.

    At the efficiencies published servers reach, not at peak: so many requests at once, each staying for its decode
    steps, its own prefill and that of every other, since prompts are computed one after the other.
    """
    concurrency = seen.concurrency or seen.running
    if roof.decode_floor_ms is None or concurrency is None:
        return None, ""
    limits = [(concurrency.value, "roofline")]
    if roof.seats_kv is not None:
        limits.append((max(roof.seats_kv, 0.5), "KV pool"))
    if roof.seats_scheduler is not None:
        limits.append((float(roof.seats_scheduler), "number of scheduler seats"))
    seats, limit = min(limits)
    step = roof.decode_floor_ms * decode_band(deployment.gpu, deployment.model).mid
    if seen.output_tokens is None or roof.prefill_floor_ms is None or seen.output_tokens.value <= 0:
        return 1000 * seats / step, limit
    osl = seen.output_tokens.value
    prefill = roof.prefill_floor_ms / gemm_share(deployment.gpu, deployment.model).mid
    if seats * prefill > osl * step:
        limit = "prefill of these prompts (roofline)" if limit == "roofline" else limit
    return 1000 * seats * osl / (max(1.0, seats) * prefill + osl * step), limit
