"""A case made by hand, in one call."""

from collections.abc import Sequence

from engine.physics import deployment, memory, seen
from vllm_triage.domain import Deployment, MemoryBudget, Observation, Verdict
from vllm_triage.engine.roofline import roofline
from vllm_triage.verdicts.bottleneck import classify

__all__ = ["CALM", "hear", "load"]


CALM = {
    "ttft_ms_mean": 60.0,
    "tpot_ms_mean": 12.0,
    "itl_ms_mean": 12.0,
    "output_tok_s": 800.0,
    "concurrency": 10.0,
    "input_tokens": 800.0,
    "output_tokens": 200.0,
}


def load(**changes: float) -> Observation:
    """Ten calm streams, with `changes`."""
    return seen(**{**CALM, **changes})


def hear(
    observed: Observation,
    where: Deployment | None = None,
    budget: MemoryBudget | None = None,
    acknowledge: Sequence[str] = (),
) -> Verdict:
    """Classify hand-made nouns: by default one H100, an 8B model, a measured pool of 400,000 tokens."""
    where = deployment() if where is None else where
    budget = memory(400_000, weights_gib=15.0) if budget is None else budget
    return classify(where, observed, budget, roofline(where, observed, budget), acknowledge)
