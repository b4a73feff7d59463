"""From a verdict to ordered actions, each tried on the launch and cleared by check_compat before it is named."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...domain import CompatReport, Deployment, Exhausted, Json, Recommendation
from ...domain.recommendation import SCALE_OUT_FLAGS
from ...engine.change import with_flags
from ..compat import check
from ..repair import repaired
from ..whatif import METRICS
from .knobs.memory import more_utilization
from .knobs.outside import client_first, scale_outs
from .plans import Plan, plan_for, plan_for_target
from .proof import proof_of
from .situation import Candidate, Situation, Unknown
from .trials import Bench, Tried, bench_for, told_useless

__all__ = ["MOST_RECOMMENDATIONS", "Advice", "recommend"]

MOST_RECOMMENDATIONS = 4
"""A page holds four; the fifth is never tried before the first is measured."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Actions in order, and what would not help."""

    recommendations: tuple[Recommendation, ...] = ()
    will_not_help: tuple[str, ...] = ()
    untried: tuple[str, ...] = ()
    """Knobs that may help, each with what is not known to turn it."""


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
    if situation.verdict.status == "healthy":
        return _for_targets(situation)
    failed = situation.observation.pool.error_kind if situation.observation.pool else None
    return _planned(situation, plan_for(situation.verdict, failed))


def _for_targets(situation: Situation) -> Advice:
    """Nothing binds, yet a target is missed: what the simulation shows to come nearer, and nothing it does not show."""
    missed = [
        name for name, target in situation.targets.items()
        if (value := situation.measured(name)) is not None
        and (value < target if METRICS[name].more_is_better else value > target)
    ]  # fmt: skip
    if not missed:
        return Advice()
    found = _planned(situation, plan_for_target(missed[0]))
    return Advice(_number(r for r in found.recommendations if r.simulated), found.will_not_help)


def _planned(situation: Situation, plan: Plan) -> Advice:
    if not plan.knobs:
        return Advice(will_not_help=plan.useless)
    turned = [knob(situation) for knob in plan.knobs]
    unknown = [t for t in turned if isinstance(t, Unknown)]
    candidates = [t for t in turned if not isinstance(t, Unknown)]
    bench = bench_for(situation) if plan.scales or _simulable(candidates) else None
    found = list(_tried(situation, candidates, bench))
    vain, useless = _in_vain(situation, plan, bench)
    ranked = _ranked([*(t for t in found if isinstance(t, Tried)), *vain])
    spent = tuple(t if isinstance(t, Exhausted) else _spent(t) for t in found if isinstance(t, Exhausted) or not t.helps)
    actions = [_recommendation(t, (), bench) for t in ranked]
    left = any(t.candidate.kind == "flag" or t.candidate.upgrade_to for t in ranked)
    if plan.scales and not unknown and not left:
        actions += _scaled(situation, spent, bench)
    shown = [t for t in found if isinstance(t, Tried) and not t.helps]
    untried = tuple(f"{u.change}: needs {u.needs}" for u in unknown)
    return Advice(_number(actions), (*told_useless(shown), *useless), untried)


def _simulable(candidates: Sequence[Candidate | Exhausted]) -> bool:
    return any(isinstance(c, Candidate) and c.kind == "flag" for c in candidates)


def _ranked(tried: list[Tried]) -> list[Tried]:
    """Those that help: the simulated by gain less risk, then those the simulator cannot see, in the plan's order."""
    seen = sorted((t for t in tried if t.simulated and t.helps), key=lambda t: (-t.rank, -t.gain))
    return [*seen, *(t for t in tried if not t.simulated)]


def _spent(tried: Tried) -> Exhausted:
    words = "" if tried.trial is None else tried.trial.words
    return Exhausted(change=tried.candidate.action, because=f"simulated: {words}")


def _in_vain(situation: Situation, plan: Plan, bench: Bench | None) -> tuple[list[Tried], tuple[str, ...]]:
    """What people reach for in vain, tried where it can be: what helps after all, and sentences on the rest."""
    helps: list[Tried] = []
    said: list[str] = []
    for useless in plan.useless_knobs:
        knob = useless.knob(situation) if bench is not None and useless.knob is not None else None
        [tried] = _tried(situation, [knob], bench) if isinstance(knob, Candidate) else [None]
        if isinstance(tried, Tried) and tried.simulated and tried.trial is not None:
            if tried.helps_plainly:
                helps.append(tried)
                continue
            said.append(f"{useless.words} (simulated: {tried.trial.words})")
        else:
            said.append(useless.words)
    return helps, tuple(said)


def _scaled(situation: Situation, spent: tuple[Exhausted, ...], bench: Bench | None) -> list[Recommendation]:
    """More GPUs: the better of the two ways first, by the simulated numbers where there are any."""
    if bench is not None:
        bench.allow(2)
    ways = [t for t in _tried(situation, scale_outs(situation, spent), bench) if isinstance(t, Tried)]
    ranked = sorted(ways, key=lambda t: -t.gain - t.output_gain) if all(t.simulated for t in ways) else ways
    return [_recommendation(t, spent, bench) for t in ranked[:1 if not bench else 2] if t.helps]


def _cleared(situation: Situation, candidates: list[Candidate | Exhausted]) -> list[Recommendation]:
    return [_recommendation(t) for t in _tried(situation, candidates) if isinstance(t, Tried)]


def _tried(
    situation: Situation, candidates: Sequence[Candidate | Exhausted], bench: Bench | None = None
) -> Iterator[Tried | Exhausted]:
    """Each candidate put on the launch and checked: cleared and tried, or spent because this version refuses it."""
    for candidate in candidates:
        if isinstance(candidate, Exhausted):
            yield candidate
            continue
        if (harm := _upgrade_harm(situation.deployment, candidate)) is not None:
            yield Exhausted(change=candidate.action, because=harm)
            continue
        report = check(with_flags(candidate.deployment or situation.deployment, candidate.changes))
        if (refused := report.stops(check(situation.deployment))) is not None:
            what = "refuses it" if refused.severity == "fatal" else "would not start with it"
            yield Exhausted(change=candidate.action, because=f"vLLM {report.vllm_version} {what} ({refused.rule})")
        else:
            yield Tried(candidate, report) if bench is None else bench.best(candidate, report)


def _upgrade_harm(deployment: Deployment, candidate: Candidate) -> str | None:
    """What stops the launch from starting on the release the candidate needs; None where nothing does."""
    if candidate.upgrade_to is None:
        return None
    fatal = check(deployment, candidate.upgrade_to).fatal()
    return f"vLLM {candidate.upgrade_to} refuses the launch ({fatal[0].rule})" if fatal else None


def _recommendation(
    tried: Tried, exhausted: tuple[Exhausted, ...] = (), bench: Bench | None = None
) -> Recommendation:
    c = tried.candidate
    shown = tried.trial if tried.simulated else None
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
        clearance=tried.report,
        exhausted=exhausted if c.kind == "scale_out" else (),
        simulated=shown is not None,
        prove=None if shown is None or bench is None else proof_of(bench.ground, shown, bench.goal),
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
