"""Environment variables of vLLM: which release reads which, and what those do that decide settings.

Data: ``facts/data/env_vars.json``, made from the releases' own sources by ``tools/build_env_catalogue.py``.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .versions import nearest, number

__all__ = ["EnvHistory", "history", "note"]

Span = tuple[str, str | None]
"""First release that reads the variable, and the first that no longer does."""

EFFECTS = {
    "VLLM_USE_V2_MODEL_RUNNER": "chooses the model runner",
    "VLLM_USE_V1": "chose the V1 engine",
    "VLLM_ATTENTION_BACKEND": "chooses the attention backend",
    "VLLM_CPU_KVCACHE_SPACE": "sets the CPU's KV pool, GiB",
    "VLLM_ALLOW_LONG_MAX_MODEL_LEN": "lets --max-model-len exceed what the model's config allows",
    "VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE": "keeps the hybrid KV cache manager on with local attention",
    "VLLM_USE_BREAKABLE_CUDAGRAPH": "captures graphs that break around attention, without compilation",
    "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS": "takes the memory of CUDA graphs out of the KV pool",
    "VLLM_USE_RAY_V2_EXECUTOR_BACKEND": "chooses the Ray executor",
    "VLLM_LOGGING_LEVEL": "sets how much the server logs",
    "VLLM_BATCH_INVARIANT": "makes results independent of the batch, at a cost",
    "VLLM_WORKER_MULTIPROC_METHOD": "chooses how workers are started",
    "VLLM_USE_FLASHINFER_SAMPLER": "samples with FlashInfer",
    "VLLM_SLEEP_WHEN_IDLE": "lets idle processes sleep: less CPU, a little latency",
    "VLLM_ENGINE_ITERATION_TIMEOUT_S": "gives up on a step after so many seconds",
}
"""What a variable does, for those that decide a setting or what is measured."""


class EnvHistory(NamedTuple):
    """When a variable is read."""

    name: str
    spans: tuple[Span, ...]

    def read_by(self, version: str) -> bool:
        """True when the catalogue's release nearest to `version` reads it."""
        at = number(nearest(version))
        return any(number(first) <= at and (last is None or at < number(last)) for first, last in self.spans)


@cache
def _catalogue() -> dict[str, EnvHistory]:
    raw = json.loads((Path(__file__).with_name("data") / "env_vars.json").read_text(encoding="utf-8"))
    return {name: EnvHistory(name, tuple((first, last) for first, last in spans)) for name, spans in raw.items()}


def history(name: str) -> EnvHistory | None:
    """When vLLM reads the variable `name`; None for one that no release in the catalogue reads."""
    return _catalogue().get(name)


def note(name: str, version: str, *, guess: bool = True) -> str:
    """What `version` makes of a variable set for it; empty when there is nothing to say.

    Without `guess`, nothing is looked for by likeness.
    """
    if not name.startswith("VLLM_"):
        return ""
    found = history(name)
    if found is None:
        from difflib import get_close_matches  # noqa: PLC0415 (only for a name nobody reads)

        near = [] if not guess else get_close_matches(name, list(_catalogue()), n=1, cutoff=0.85)
        return f"no release of vLLM reads it{f'; did you mean {near[0]}?' if near else ''}"
    if found.read_by(version):
        return EFFECTS.get(name, "")
    at = number(nearest(version))
    gone = [last for _, last in found.spans if last is not None and number(last) <= at]
    if gone:
        return f"vLLM {version} ignores it: not read since {gone[-1]}"
    return f"vLLM {version} ignores it: read from {found.spans[0][0]} on"
