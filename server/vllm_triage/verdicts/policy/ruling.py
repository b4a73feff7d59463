"""Holding one case against every house rule that has a condition."""

from collections.abc import Collection
from dataclasses import dataclass

from ...domain import Deployment, Ignored, MemoryBudget, Observation, Refusal, Roofline
from .ceiling import raise_ceiling_first
from .draft_model import no_draft_chunked_0180
from .inputs import core_metrics, gpu_utilization_ignored
from .not_vllm_first import not_vllm_first
from .rules import RULES

__all__ = ["Ruling", "judge", "unknown_acknowledgements"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the house rules say of one case."""

    refusals: tuple[Refusal, ...]
    ignored: tuple[Ignored, ...]
    notes: tuple[str, ...]
    """Why a rule that looks as if it should fire does not: exceptions, each named."""

    @property
    def standing(self) -> tuple[Refusal, ...]:
        """Refusals nobody acknowledged."""
        return tuple(r for r in self.refusals if not r.acknowledged)


def judge(
    deployment: Deployment | None,
    seen: Observation,
    memory: MemoryBudget | None,
    roof: Roofline,
    acknowledge: Collection[str] = (),
) -> Ruling:
    """Hold one case against every house rule that has a condition."""
    refusals: list[Refusal] = []
    notes = [*unknown_acknowledgements(acknowledge)]
    if (refusal := core_metrics(seen)) is not None:
        refusals.append(refusal)
    else:
        slow, why = not_vllm_first(deployment, seen, roof)
        refusals += [slow] if slow else []
        notes += [why] if why else []
    if deployment is not None:
        ceiling, why = raise_ceiling_first(deployment, memory)
        refusals += [ceiling] if ceiling else []
        notes += [why] if why else []
        if (recipe := no_draft_chunked_0180(deployment)) is not None:
            refusals.append(recipe)
    said = tuple(r.but(acknowledged=True) if _may(r.rule, acknowledge) else r for r in refusals)
    return Ruling(said, gpu_utilization_ignored(seen), tuple(notes))


def _may(rule: str, acknowledge: Collection[str]) -> bool:
    return rule in acknowledge and RULES[rule].acknowledgeable


def unknown_acknowledgements(acknowledge: Collection[str]) -> tuple[str, ...]:
    """A note for each acknowledged name that is no house rule, or one that cannot be acknowledged."""
    if not acknowledge:
        return ()
    open_rules = ", ".join(rule.id for rule in RULES.values() if rule.acknowledgeable)
    return tuple(
        f"acknowledge {name[:60]!r}: "
        + ("this rule always holds" if name in RULES else "no such rule")
        + f"; what can be acknowledged: {open_rules}"
        for name in acknowledge
        if not (name in RULES and RULES[name].acknowledgeable)
    )
