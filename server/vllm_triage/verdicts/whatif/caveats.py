"""What a simulation cannot tell of some settings, in a sentence each."""

from collections.abc import Iterable, Mapping

from ...domain import Workload
from ...facts.flags import table
from ...facts.versions import NEWEST

__all__ = ["CAVEATS", "caveats_of", "spares_the_engine"]

CAVEATS: Mapping[str, str] = {
    "enforce_eager": "launching kernels one by one is a rough constant per layer: at small batches it costs more than that",
    "async_scheduling": "the gap between two steps that asynchronous scheduling closes is part of every step's fixed time",
    "compilation_config": "what compilation and CUDA graphs gain is part of every step's fixed time",
    "speculative_config": "how many drafts are accepted depends on the texts",
    "attention_backend": "attention backends are not told apart",
    "enable_lora": "adapters are not modelled",
    "kv_transfer_config": "moving KV out of the engine and back is not modelled",
    "limit_mm_per_prompt": "images and audio are not modelled",
    "api_server_count": "front-end processes are a constant time before the first token",
}
"""By parser destination."""

UNSHARED = "what prompts share is not known: the traffic simulated has no common prefix, so the prefix cache never hits"


AROUND_THE_ENGINE = frozenset({"Frontend", "LoadConfig", "LoggingConfig"})
"""Groups of options that decide how requests are received, weights are fetched and lines are logged."""


def spares_the_engine(dests: Iterable[str]) -> bool:
    """True when none of these destinations reaches the engine's steps."""
    known = table(NEWEST).by_dest
    return all(dest in known and known[dest].group in AROUND_THE_ENGINE for dest in dests)


def caveats_of(dests: Iterable[str], workload: Workload) -> tuple[str, ...]:
    """The caveats of a change of these destinations under this traffic."""
    changed = set(dests)
    said = [CAVEATS[dest] for dest in CAVEATS if dest in changed]
    shared = workload.shared_prefix_tokens or workload.turns > 1 or workload.arrivals == "trace"
    if "enable_prefix_caching" in changed and not shared:
        said.append(UNSHARED)
    return tuple(said)
