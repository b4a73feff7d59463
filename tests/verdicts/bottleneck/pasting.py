"""What a user pastes, classified the way every tool reads it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from vllm_triage.domain import Verdict
from vllm_triage.report.reading import read
from vllm_triage.verdicts.bottleneck import classify

__all__ = ["DATA", "RUNS", "SERVERS", "paste"]

DATA = Path(__file__).parents[2] / "data"
RUNS = DATA / "runs"
SERVERS = DATA / "servers"


def paste(
    command: str | None,
    texts: Sequence[str] = (),
    *,
    gpu: str | None = None,
    version: str | None = None,
    given: Mapping[str, float] | None = None,
    acknowledge: Sequence[str] = (),
) -> Verdict:
    """Classify what was pasted, the way every tool reads it."""
    found = read(command, version, gpu, None, texts, given or {})
    return classify(found.deployment, found.observation, found.memory, found.roofline, acknowledge)
