"""The traffic a measurement describes."""

from ...domain import Lengths, Measured, Observation, Workload
from ..load import Load, read_load

__all__ = ["workload_of"]

_MOST_REPLAYED = 3000
"""A benchmark of more requests than this, or of many times its concurrency, is taken as the steady state it mostly is."""

_ROUNDS = 8

_SPREAD = 1.0
"""Standard deviation of prompt and output lengths over their mean in traffic that no benchmark made. Assumed."""


def workload_of(observation: Observation) -> Workload | None:
    """The traffic of a measurement: closed at its concurrency, or open at its rate, with its mean lengths.

    Requests are taken to be of equal length, as benchmarks send them, unless the lengths are a server's own averages:
    then they differ as they do in real traffic. None where the lengths, or both concurrency and rate, are not known.
    """
    load = read_load(observation)
    if not load.input_tokens or not load.output_tokens:
        return None
    benchmark = _from_client(observation.concurrency) or _from_client(observation.requests)
    arrivals = _arrivals(observation, load, benchmark=benchmark)
    if arrivals is None:
        return None
    hit = observation.prefix_hit_rate
    alike = not _from_server(observation.input_tokens)
    shared = 0 if hit is None else min(round(hit.value * load.input_tokens), int(load.input_tokens) - 1)
    return arrivals.but(
        input=_lengths(load.input_tokens, alike=alike),
        output=_lengths(load.output_tokens, alike=alike),
        shared_prefix_tokens=shared,
        source="measured",
        notes=(*arrivals.notes, *_taken(alike=alike, shared=shared)),
    )


def _taken(*, alike: bool, shared: int) -> tuple[str, ...]:
    """What a mean length and a hit rate are taken to say of the requests, which they do not tell."""
    said: list[str] = []
    if not alike:
        said.append(
            "only mean lengths are known, a server's own: prompts and answers are taken to be lognormal, "
            f"as far spread as {_SPREAD:g} x their mean"
        )
    if shared > 0:
        said.append(f"the measured prefix hit rate is taken to be one prefix of {shared:,} tokens that all requests share")
    return tuple(said)


def _arrivals(observation: Observation, load: Load, *, benchmark: bool) -> Workload | None:
    """When requests come, whatever their lengths."""
    offered = observation.concurrency
    rate = load.request_rate
    if offered is not None and "all sent at once" in offered.source:
        return Workload(arrivals="at_once", requests=max(1, round(offered.value)))
    if rate is not None and (offered is None or "request rate x time" in offered.source) and _is_offered(observation):
        return Workload(arrivals="open", request_rate=rate)
    users = load.concurrency or load.in_system or _gauges(observation)
    if not users:
        return None if rate is None else Workload(arrivals="open", request_rate=rate)
    concurrency = max(1, round(users))
    sent = observation.requests
    few = sent is not None and sent.value <= min(_MOST_REPLAYED, _ROUNDS * concurrency)
    replayed = sent is not None and benchmark and few and sent.value >= concurrency
    return Workload(
        arrivals="closed",
        concurrency=concurrency,
        requests=round(sent.value) if replayed and sent is not None else None,
    )


def _is_offered(observation: Observation) -> bool:
    """Whether a request rate was measured as such, not worked out from the output."""
    return observation.request_rate is not None


def _gauges(observation: Observation) -> float | None:
    """Requests running and waiting, as the server's gauges have it."""
    if observation.running is None:
        return None
    waiting = 0.0 if observation.waiting is None else observation.waiting.value
    return observation.running.value + waiting


def _from_client(found: Measured | None) -> bool:
    return found is not None and found.source.startswith(("vllm bench", "sglang", "guidellm", "aiperf", "llmperf"))


def _from_server(found: Measured | None) -> bool:
    return found is not None and found.source.startswith(("metrics", "log", "prometheus", "query"))


def _lengths(mean: float, *, alike: bool) -> Lengths:
    return Lengths(mean=mean) if alike else Lengths(mean=mean, shape="lognormal", spread=_SPREAD)
