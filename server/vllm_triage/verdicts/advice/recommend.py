"""From a verdict to ordered actions, each tried on the launch and cleared by check_compat before it is named."""

from collections.abc import Iterator
from dataclasses import dataclass

from ...domain import CompatReport, Deployment, Exhausted, Json, Recommendation
from ...domain.recommendation import SCALE_OUT_FLAGS
from ...engine.change import with_flags
from ..compat import check
from ..repair import repaired
from .knobs.memory import more_utilization
from .knobs.outside import client_first, scale_out
from .plans import plan_for
from .situation import Candidate, Situation

__all__ = ["MOST_RECOMMENDATIONS", "Advice", "recommend"]

MOST_RECOMMENDATIONS = 4
"""A page holds four; the fifth is never tried before the first is measured."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Actions in order, and what would not help."""

    recommendations: tuple[Recommendation, ...] = ()
    will_not_help: tuple[str, ...] = ()


def recommend(situation: Situation, compat: CompatReport) -> Advice:
    """Ordered actions for one verdict.

    A launch that does not start gets the fixes of its fatal findings and nothing else. A standing refusal gets
    the one action that lifts it, where there is one, and nothing else.
    """
    standing = [r.rule for r in situation.verdict.refusals if not r.acknowledged]
    if "core-metrics" in standing:
        return Advice()
    if "raise-ceiling-first" in standing:
        return Advice(_number(_cleared(situation, [more_utilization(situation)])))
    if "not-vllm-first" in standing:
        return Advice(_number(_cleared(situation, [client_first(situation)])))
    if standing:
        return Advice()
    if not compat.ok:
        return Advice(_number(_fixes(situation.deployment, compat)))
    failed = situation.observation.pool.error_kind if situation.observation.pool else None
    plan = plan_for(situation.verdict, failed)
    tried = list(_tried(situation, [knob(situation) for knob in plan.knobs]))
    actions = [t for t in tried if isinstance(t, Recommendation)]
    spent = tuple(t for t in tried if isinstance(t, Exhausted))
    if plan.scales and not [a for a in actions if a.kind == "flag"]:
        actions += [t for t in _tried(situation, [scale_out(situation, spent)], spent) if isinstance(t, Recommendation)]
    return Advice(_number(actions), plan.useless)


def _cleared(situation: Situation, candidates: list[Candidate | Exhausted]) -> list[Recommendation]:
    return [t for t in _tried(situation, candidates) if isinstance(t, Recommendation)]


def _tried(
    situation: Situation, candidates: list[Candidate | Exhausted], exhausted: tuple[Exhausted, ...] = ()
) -> Iterator[Recommendation | Exhausted]:
    """Each candidate put on the launch and checked: cleared, or spent because this version refuses it."""
    for candidate in candidates:
        if isinstance(candidate, Exhausted):
            yield candidate
            continue
        report = check(with_flags(situation.deployment, candidate.changes))
        if report.ok:
            yield _recommendation(candidate, report, exhausted)
        else:
            refused = report.fatal()[0]
            yield Exhausted(change=candidate.action, because=f"vLLM {report.vllm_version} refuses it ({refused.rule})")


def _recommendation(c: Candidate, report: CompatReport, exhausted: tuple[Exhausted, ...]) -> Recommendation:
    return Recommendation(
        order=1,
        kind=c.kind,
        action=c.action,
        flag=c.flag,
        from_=c.old,
        to=c.new,
        why=c.why,
        expected=c.expected,
        watch=c.watch,
        risk=c.risk,
        undo=c.undo,
        clearance=report,
        exhausted=exhausted if c.kind == "scale_out" else (),
    )


def _fixes(deployment: Deployment, compat: CompatReport) -> Iterator[Recommendation]:
    """The way out of each fatal finding: first the launch has to start."""
    fixed = deployment
    for finding in compat.fatal():
        fixed = repaired(fixed, finding)
    report = check(fixed)
    unstartable = Exhausted(change="the launch as it is", because="it does not start")
    for finding in compat.fatal():
        step = finding.steps[0] if finding.steps else None
        flag = step.name if step is not None else (finding.flags[0] if finding.flags else None)
        if not report.ok and "chunked-prefill" in f"{flag} {finding.fix}":
            continue  # chunked prefill is never named before a report has cleared it
        yield Recommendation(
            order=1,
            action=finding.fix if flag is None or flag in finding.fix else f"{flag}: {finding.fix}",
            flag=flag,
            from_=_asked(deployment, flag),
            to=step.to if step is not None else None,
            why=finding.message,
            expected=f"vLLM {deployment.version} accepts the launch",
            watch="the startup log",
            risk="none: the launch does not start as it is",
            undo="nothing to undo",
            clearance=report if report.ok else None,
            exhausted=(unstartable,) if flag in SCALE_OUT_FLAGS else (),
        )


def _asked(deployment: Deployment, flag: str | None) -> Json:
    """The value the user gave a flag."""
    return next((f.value for f in deployment.flags if f.flag == flag), None)


def _number(actions: "list[Recommendation] | Iterator[Recommendation]") -> tuple[Recommendation, ...]:
    return tuple(a.but(order=i) for i, a in enumerate(list(actions)[:MOST_RECOMMENDATIONS], start=1))
