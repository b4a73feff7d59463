"""One change, put on the launch, cleared, sized and simulated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ...domain import CompatReport, Deployment, Difference, Interval, Json, MemoryBudget, Prediction, Problem
from ...engine.change import memory_after, with_flags
from ...engine.cost import CannotPredict, CostModel
from ...engine.simulation import limits_of, predict
from ...engine.simulation.share import share_of
from ..compat import check
from .figures import differences, gain, is_loop, same
from .ground import Ground, Progress
from .words import effect_words, noticed

__all__ = ["Effect", "Trial", "try_change", "try_replicas"]

Effect = Literal["better", "worse", "trade", "none", "unknown"]
"""On the figures that move by more than noise: all better, all worse, some of each, none moves; or not simulated."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one change."""

    deployment: Deployment
    """The launch as it would be."""
    compat: CompatReport
    memory: MemoryBudget
    prediction: Prediction | None = None
    cost: CostModel | None = None
    differences: tuple[Difference, ...] = ()
    effect: Effect = "unknown"
    words: str = ""
    """The effect in one line, or why there is none to tell."""
    blind: bool = False
    """True when neither the scheduler nor the step time as they are modelled depend on what changed."""

    unchanged: bool = False
    """True when the changed launch is the launch as it is."""

    @property
    def by_metric(self) -> Mapping[str, Difference]:
        """Differences by metric."""
        return {d.metric: d for d in self.differences}

    @property
    def after(self) -> dict[str, Interval]:
        """Figures after the change."""
        return {d.metric: d.after for d in self.differences}


def try_change(
    ground: Ground,
    changes: Mapping[str, Json],
    env: Mapping[str, str] | None = None,
    *,
    first: tuple[str, ...] = (),
    progress: Progress | None = None,
    compat: CompatReport | None = None,
) -> Trial:
    """Simulate one changed configuration under the ground's traffic, seed and calibration.

    A launch that would not start is not simulated; `words` says what stops it.

    Args:
        ground: the launch as it is.
        changes: parser destination to its new value; None takes the flag out.
        env: environment variables set besides.
        first: metrics to tell first.
        progress: told how far the simulation is.
        compat: the report on the changed launch, where it was made already.
    """
    changed = with_flags(ground.deployment, changes, env)
    report = compat or check(changed)
    memory = memory_after(ground.deployment, ground.memory, changed)
    if (finding := report.stops(check(ground.deployment))) is not None:
        return Trial(changed, report, memory, words=f"not simulated: {finding.title} ({finding.rule})")
    if stopped := _no_room(ground.memory, memory):
        return Trial(changed, report, memory, words=f"not simulated: {stopped}")
    try:
        cost = ground.cost_of(changed, memory)
        prediction = ground.predict(changed, memory, cost, progress)
    except CannotPredict as error:
        return Trial(changed, report, memory, words=str(error))
    found = _differences(ground, prediction, cost)
    return Trial(
        changed, report, memory, prediction, cost, found, _effect(found),
        effect_words(found, ground.prediction, prediction, first, ground.strayed), _blind(ground, changed, memory, cost, prediction),
        unchanged=not env and changed.settings == ground.deployment.settings and changed.args == ground.deployment.args,
    )  # fmt: skip


def try_replicas(
    ground: Ground, replicas: int, compat: CompatReport, *, first: tuple[str, ...] = (), progress: Progress | None = None
) -> Trial:
    """The same launch `replicas` times behind a balancer, each with an even share of the load; rates are of all."""
    own, scale = share_of(ground.workload, replicas)
    try:
        one = predict(
            ground.deployment, ground.memory, own, cost=ground.cost, progress=progress, at_most=ground.at_most,
            acceptance_length=ground.acceptance_length,
        )  # fmt: skip
    except CannotPredict as error:
        return Trial(ground.deployment, compat, ground.memory, words=str(error))
    rates = {
        name: Interval(low=scale * found.low, mid=scale * found.mid, high=scale * found.high)
        for name in ("output_tok_s", "total_tok_s", "request_rate") if (found := getattr(one, name))
    }  # fmt: skip
    prediction = one.but(**rates, running=scale * one.running, waiting=scale * one.waiting)
    found = _differences(ground, prediction, ground.cost)
    return Trial(
        ground.deployment, compat, ground.memory, prediction, ground.cost, found, _effect(found),
        effect_words(found, ground.prediction, prediction, first, ground.strayed),
    )  # fmt: skip


def _differences(ground: Ground, prediction: Prediction, cost: CostModel) -> tuple[Difference, ...]:
    return differences(
        ground.prediction, prediction, cost.bands, ground.measured, looped=is_loop(ground.workload), strayed=ground.strayed
    )


def _no_room(before: MemoryBudget, after: MemoryBudget) -> str:
    """What would keep the engine from starting with this pool. What is said of the launch as it is, too, does not count:
    it runs, so the prediction is wrong there."""
    known = {problem.code for problem in before.problems}
    fatal: list[Problem] = [
        problem for problem in after.problems if problem.severity in ("fatal", "error") and problem.code not in known
    ]
    if fatal:
        return fatal[0].message
    if after.pool is not None and not after.pool.tokens and not after.pool.blocks:
        return "no memory is left for the KV pool"
    return ""


def _effect(found: tuple[Difference, ...]) -> Effect:
    signs = {gain(d.metric, d) > 0 for d in noticed(found)}
    if not signs:
        return "none"
    return "trade" if len(signs) > 1 else "better" if True in signs else "worse"


def _blind(
    ground: Ground, changed: Deployment, memory: MemoryBudget, cost: CostModel, prediction: Prediction
) -> bool:
    return (
        same(ground.prediction, prediction)
        and cost == ground.cost
        and limits_of(changed, memory) == limits_of(ground.deployment, ground.memory)
    )
