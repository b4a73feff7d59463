"""TTFT and the gap between tokens, taken apart into what they are made of: ms that add up to what was measured.

Time to first token is waiting for the scheduler, computing the prompt, sharing those steps with streams that decode,
and a fixed part outside the engine's steps. The gap between tokens is the floor of a decode step, the prefill of others
in the same steps, and overhead. What the parts do not account for is a part of its own, never spread over the others.
"""

from dataclasses import dataclass
from math import ceil

from ..domain import Deployment, Measured, Observation, Roofline
from .efficiency import FIRST_TOKEN_CONSTANT_MS, decode_band, gemm_share
from .load import Load, read_load
from .machine import whole

__all__ = ["Anatomy", "Part", "take_apart"]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a latency, ms, and how it was found."""

    name: str
    ms: float
    how: str


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The parts of both latencies. Empty where the latency, or everything that would explain it, is unknown."""

    ttft_ms: float | None
    ttft: tuple[Part, ...]
    itl_ms: float | None
    itl: tuple[Part, ...]


def take_apart(deployment: Deployment | None, seen: Observation, roof: Roofline) -> Anatomy:
    """Take the measured mean TTFT and mean time per output token apart."""
    load = read_load(seen)
    prefill = _prefill_ms(deployment, roof)
    return Anatomy(
        load.ttft_ms,
        () if load.ttft_ms is None else _first_token(seen, roof, load.ttft_ms, prefill),
        load.tpot_ms,
        _gap(deployment, seen, roof, load, prefill),
    )


def _prefill_ms(deployment: Deployment | None, roof: Roofline) -> float | None:
    """Expected time to compute one prompt's uncached part: the floor at the share of peak such servers reach."""
    if deployment is None or roof.prefill_floor_ms is None:
        return None
    return roof.prefill_floor_ms / gemm_share(deployment.gpu, deployment.model).mid


def _first_token(seen: Observation, roof: Roofline, ttft: float, prefill: float | None) -> tuple[Part, ...]:
    queue, inside = _of_one_kind(seen)
    if queue is None and prefill is None:
        return ()
    parts: list[Part] = []
    left = ttft
    if queue is not None:
        left = _take(parts, left, "queue", queue.value, queue.source)
    computed = prefill if inside is None else min(inside.value, prefill if prefill is not None else inside.value)
    if computed is not None:
        how = _prompt_words(seen) if prefill is not None else inside.source if inside is not None else ""
        left = _take(parts, left, "prefill", computed, how)
    if prefill is not None and (between := _between_chunks(seen, roof)) > 0:
        left = _take(parts, left, "decode in the same steps", between, "chunks x decode floor of the running streams")
    if inside is not None and computed is not None and inside.value > computed:
        rest = inside.value - sum(p.ms for p in parts if p.name != "queue")
        left = _take(parts, left, "prefill beyond that", max(0.0, rest), f"{inside.source} less the above")
    left = _take(parts, left, "front end and sampling", FIRST_TOKEN_CONSTANT_MS.mid, FIRST_TOKEN_CONSTANT_MS.source)
    if queue is None:
        parts.append(Part("queue or unexplained", left, "TTFT less the above; vllm:request_queue_time_seconds tells"))
    else:
        parts.append(Part("unexplained", left, "TTFT less the above"))
    return tuple(parts)


def _gap(
    deployment: Deployment | None, seen: Observation, roof: Roofline, load: Load, prefill: float | None
) -> tuple[Part, ...]:
    tpot, rate = load.tpot_ms, load.request_rate
    if deployment is None or roof.decode_floor_ms is None or tpot is None:
        return ()
    tokens = 1.0 if seen.acceptance_length is None else max(1.0, seen.acceptance_length.value)
    floor = roof.decode_floor_ms / tokens
    parts: list[Part] = []
    left = tpot
    if roof.decode_bound == "compute" and roof.compute_ms is not None:
        named = [("compute", roof.compute_ms)]
    else:
        named = [("weights", roof.weights_ms or 0.0), ("KV reads", roof.kv_reads_ms or 0.0)]
    for name, ms in (*named, ("collectives", roof.collectives_ms or 0.0)):
        left = _take(parts, left, name, ms / tokens, "decode floor at peak rates")
    if prefill is not None and rate is not None:
        busy = min(1.0, rate * prefill / 1000 / max(seen.engines, whole(deployment.setting("data_parallel_size"))))
        left = _take(parts, left, "prefill of others", busy * tpot, f"{busy:.0%} of the time goes to prompts")
    usual = (decode_band(deployment.gpu, deployment.model).high - 1) * floor
    left = _take(
        parts, left, "overhead", min(left, usual), "launches, sampling, host; as much as measured servers show"
    )
    parts.append(Part("unexplained", left, "time per output token less the above"))
    return tuple(parts)


def _take(parts: list[Part], left: float, name: str, ms: float, how: str) -> float:
    """Add a part, never more than is left, and give what is left then."""
    part = max(0.0, min(ms, left))
    if part > 0:
        parts.append(Part(name, part, how))
    return left - part


def _of_one_kind(seen: Observation) -> tuple[Measured | None, Measured | None]:
    """The engine's own queue and prefill times, where they describe the same requests as TTFT."""
    ttft = seen.ttft_ms_mean
    if ttft is None or not ttft.source.startswith("metrics"):
        return None, None
    queue, prefill = seen.queue_ms_mean, seen.prefill_ms_mean
    return (
        queue if queue is not None and queue.source.startswith("metrics") else None,
        prefill if prefill is not None and prefill.source.startswith("metrics") else None,
    )


def _between_chunks(seen: Observation, roof: Roofline) -> float:
    """Decode work carried by the steps of one prompt: one decode step for each chunk."""
    if seen.input_tokens is None or not roof.token_budget or roof.decode_floor_ms is None or (roof.running or 0) < 1:
        return 0.0
    return ceil(seen.input_tokens.value / roof.token_budget) * roof.decode_floor_ms


def _prompt_words(seen: Observation) -> str:
    tokens = "" if seen.input_tokens is None else f"{seen.input_tokens.value:,.0f} tokens"
    hit = "" if seen.prefix_hit_rate is None else f", {seen.prefix_hit_rate.value:.0%} of them cached and not computed"
    return f"{tokens}{hit}: prefill floor over the efficiency measured servers reach"
