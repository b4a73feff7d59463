"""Situations as a diagnosis meets them."""

from typing import Any, Literal

from vllm_triage.domain import Exhausted, Verdict
from vllm_triage.report.reading import read
from vllm_triage.verdicts.advice import Situation
from vllm_triage.verdicts.advice.plans import Plan
from vllm_triage.verdicts.advice.situation import Candidate
from vllm_triage.verdicts.bottleneck import classify

QUEUE = {
    "input_tokens": 800.0, "output_tokens": 60.0, "concurrency": 24.0, "output_tok_s": 650.0, "ttft_ms_mean": 1500.0,
    "tpot_ms_mean": 11.0,
}  # fmt: skip


def situation(
    command: str = "vllm serve Qwen/Qwen3-8B --max-num-seqs 8", version: str = "0.30.0", gpu: str | None = "H100",
    load: dict[str, float] | None = None, evidence: tuple[str, ...] = (), verdict: Verdict | None = None, **targets: float,
) -> Situation:  # fmt: skip
    """A launch under a load; with the verdict given, else as classified."""
    reading = read(command, version, gpu, None, evidence, QUEUE if load is None else load)
    assert reading.deployment is not None
    found = verdict or classify(reading.deployment, reading.observation, reading.memory, reading.roofline)
    return Situation(reading.deployment, reading.observation, reading.memory, reading.roofline, found, targets)


def bound(
    bottleneck: Literal["kv_starvation", "queue_stall", "chunked_prefill_missized", "decode_bound", "hbm_bound"], **also: Any
) -> Verdict:
    """A verdict that names this bottleneck."""
    return Verdict(status="classified", bottleneck=bottleneck, confidence=0.9, **also)


def candidates(plan: Plan, s: Situation) -> list[Candidate]:
    """Every candidate of a plan, at every value."""
    knobs = [*plan.knobs, *(one.knob for one in plan.useless_knobs if one.knob is not None)]
    turned = [found for knob in knobs if isinstance(found := knob(s), Candidate)]
    return [one for first in turned for one in (first, *first.others)]


def spent(found: object) -> str:
    """Why a knob is spent."""
    assert isinstance(found, Exhausted)
    return found.because
