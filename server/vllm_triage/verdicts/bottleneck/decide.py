"""The decision: refuse, name a failed start, name what binds, say healthy, or say which measurement would decide."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from ...domain import BOTTLENECKS, Bottleneck, Deployment, Json, MemoryBudget, Observation, Roofline, RuledOut, Verdict
from ...domain.verdict import MeasureNext
from ...engine.latency import take_apart
from ..policy import Ruling, judge
from ..thresholds import CLASSIFY_AT
from . import chunked_prefill, decode_bound, hbm_bound, healthy, kv_starvation, outside, queue_stall
from .case import Case
from .derived import derive
from .gather import read_signals
from .signals import Signals
from .suspects import suspects

__all__ = ["classify"]

MEASURE: dict[MeasureNext, str] = {
    "P99 ITL": "P99 ITL (vllm:inter_token_latency_seconds, 0.99 quantile between two scrapes under the same load)",
    "block allocation rate": "block allocation rate: vLLM exports none, so read the change of "
    "vllm:kv_cache_usage_perc between "
    "scrapes, with the rate of vllm:num_preemptions_total beside it",
    "WAITING queue depth": "WAITING queue depth (vllm:num_requests_waiting, and by reason where the version has it, "
    "under load)",
}

CONFLICT_COST = 0.15
"""Sureness lost when the inputs contradict each other: something given is not true, and nobody knows which."""


@dataclass(frozen=True, slots=True)
class Court:
    """All cases of one hearing: the five by name, and those outside."""

    five: dict[Bottleneck, Case]
    outside: tuple[Case, ...]


def classify(
    deployment: Deployment | None,
    observation: Observation,
    memory: MemoryBudget | None,
    roofline: Roofline,
    acknowledge: Collection[str] = (),
) -> Verdict:
    """Which bottleneck binds.

    Args:
        deployment: the launch, or None when only measurements were given.
        observation: what was measured.
        memory: the memory model's answer.
        roofline: :func:`vllm_triage.engine.roofline.roofline` of the same three.
        acknowledge: names of house rules the user accepts to have broken.
    """
    ruling = judge(deployment, observation, memory, roofline, acknowledge)
    signals = read_signals(deployment, observation, memory, roofline)
    anatomy = take_apart(deployment, observation, roofline)
    derived = derive(
        signals,
        roofline,
        observation,
        memory=memory,
        anatomy=anatomy,
        notes=(*ruling.notes, *suspects(signals, deployment, observation)),
    )
    if (failed := outside.startup_failure(observation)) is not None and observation.missing_core():
        return _verdict("classified", failed, ruling, derived, without=("core-metrics",))
    if ruling.standing:
        return _refused(observation, signals, ruling, derived)
    court = _hear(signals, roofline, deployment)
    leading = _leading(court, signals)
    cost = CONFLICT_COST if derived["conflicts"] else 0.0
    if leading is not None and leading.confidence - cost >= CLASSIFY_AT:
        return _verdict("classified", leading, ruling, derived, ruled_out=_ruled_out(court, leading), less=cost)
    if leading is None and (well := healthy.judge(signals, roofline)) is not None:
        return _verdict("healthy", well, ruling, derived, ruled_out=_ruled_out(court, well), less=cost)
    return _ambiguous(signals, court, leading, ruling, derived)


def _hear(s: Signals, roof: Roofline, deployment: Deployment | None) -> Court:
    return Court(
        five={
            "hbm_bound": hbm_bound.judge(s),
            "kv_starvation": kv_starvation.judge(s),
            "queue_stall": queue_stall.judge(s),
            "chunked_prefill_missized": chunked_prefill.judge(s),
            "decode_bound": decode_bound.judge(s, roof),
        },
        outside=(
            outside.deferred(s, deployment),
            outside.prefill_compute(s),
            outside.client_or_upstream(s),
            outside.interconnect(s, roof, deployment),
        ),
    )


def _leading(court: Court, s: Signals) -> Case | None:
    """The first cause, in the order in which causes bring about symptoms, that is sure enough; else the surest."""
    waits, prefill, client, link = court.outside
    five = court.five
    queue = five["queue_stall"]
    by_seats = queue.sub == "seats"
    order = [
        *([prefill] if s.prefill_saturated else []),  # no seat and no block makes prompts faster to compute
        five["hbm_bound"],
        five["kv_starvation"],
        waits,
        *([queue, prefill] if by_seats else [prefill, queue]),
        five["chunked_prefill_missized"],
        client,
        link,
        five["decode_bound"],
    ]
    for case in order:
        if case.confidence >= CLASSIFY_AT:
            return case
    surest = max(order, key=lambda case: case.confidence)
    return surest if surest.confidence > 0 else None


def _ruled_out(court: Court, leading: Case) -> tuple[RuledOut, ...]:
    return tuple(
        RuledOut(
            bottleneck=name,
            because=court.five[name].against() or "a cause that comes before it explains the same signals",
        )
        for name in BOTTLENECKS
        if name != leading.bottleneck
    )


def _ambiguous(s: Signals, court: Court, leading: Case | None, ruling: Ruling, derived: dict[str, Json]) -> Verdict:
    """Say what could be, and the one measurement that decides."""
    measure, why = _deciding(s)
    told = healthy.signals_shown(s) if leading is None else leading.evidence()
    if leading is not None:
        derived = {
            **derived,
            "leaning": {
                "bottleneck": leading.bottleneck,
                "outside": leading.outside,
                "confidence": round(leading.confidence, 2),
            },
        }
    ruled = tuple(
        RuledOut(bottleneck=name, because=why)
        for name, case in court.five.items()
        if case.confidence == 0 and (why := case.against())
    )
    return Verdict(
        status="ambiguous",
        confidence=0.0 if leading is None else max(0.0, min(0.49, leading.confidence)),
        evidence=told,
        ruled_out=ruled,
        refusals=ruling.refusals,
        ignored=ruling.ignored,
        derived=derived,
        measure_next=f"{MEASURE[measure]}: {why}",
    )


def _deciding(s: Signals) -> tuple[MeasureNext, str]:
    """The measurement that would tell the remaining causes apart."""
    if s.below_floor:
        return "P99 ITL", "the time per token given is below what the hardware allows, so it has to be measured again"
    if s.kv is None and s.s_kv is not None and s.s_seq is not None and 0.8 < s.s_kv / s.s_seq < 1.25:
        return (
            "block allocation rate",
            "pool and scheduler seats lie too near each other for arithmetic to tell which fills",
        )
    if s.waiting is None and not s.all_decoding:
        return "WAITING queue depth", "it tells a queue in the engine from time lost before it"
    if s.queue_seen and s.kv is None:
        return "block allocation rate", "it tells a queue for KV blocks from a queue for scheduler seats"
    if s.itl_p99 is None:
        return "P99 ITL", "it tells long steps that carry prompts from a decode step that is long every time"
    return (
        "WAITING queue depth",
        "measured under load, with KV usage from the same scrape, it settles what requests wait for",
    )


def _refused(seen: Observation, s: Signals, ruling: Ruling, derived: dict[str, Json]) -> Verdict:
    measure, _ = _deciding(s)
    return Verdict(
        status="refused",
        evidence=healthy.signals_shown(s),
        refusals=ruling.refusals,
        missing=seen.missing_core(),
        ignored=ruling.ignored,
        derived=derived,
        measure_next=MEASURE[measure],
    )


def _verdict(
    status: Literal["classified", "healthy"],
    case: Case,
    ruling: Ruling,
    derived: dict[str, Json],
    *,
    ruled_out: tuple[RuledOut, ...] = (),
    less: float = 0.0,
    without: tuple[str, ...] = (),
) -> Verdict:
    return Verdict(
        status=status,
        bottleneck=case.bottleneck,
        sub_bound=case.sub,
        outside=case.outside,
        confidence=round(max(0.0, case.confidence - less), 2),
        evidence=case.evidence(),
        ruled_out=ruled_out,
        refusals=tuple(r for r in ruling.refusals if r.rule not in without),
        ignored=ruling.ignored,
        derived=derived,
        measure_next=MEASURE[case.measure],
    )
