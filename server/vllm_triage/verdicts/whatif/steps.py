"""The scheduler alone, with steps for a clock: what can be said where no step time is known, as on a CPU.

Who waits, who is preempted and how many steps pass to the first token follow from the schedule. How long a step takes,
and so every latency and rate, does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ...domain import Deployment, Json, MemoryBudget, Noun, Prediction, Workload
from ...engine.change import memory_after, with_flags
from ...engine.cost import Bands, CannotPredict, CostModel
from ...engine.simulation import predict

__all__ = ["InSteps", "in_steps", "in_steps_after", "steps_words"]

AT_MOST = 1000
"""Requests simulated at most."""

EXACT = (1.0, 1.0)
NO_ERROR = Bands(EXACT, EXACT, EXACT, EXACT, EXACT, EXACT, EXACT, EXACT)


@dataclass(frozen=True, slots=True)
class _StepClock:
    """A cost model by which every step takes one."""

    first_token_ms: float = 0.0
    bands: Bands = NO_ERROR
    basis: str = "predicted"
    fit: str = ""
    unmet: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    def step_ms(self, decodes: int, context: int, chunks: Sequence[tuple[int, int]] = ()) -> float:  # noqa: ARG002
        return 1.0

    def stretch_ms(self, decodes: int, context: int, growth: float, count: int) -> float:  # noqa: ARG002
        return float(count)


class InSteps(Noun):
    """One configuration as its scheduler runs it; means over the steps."""

    first_token_steps: float
    """Steps from arrival to the first token, mean."""
    first_token_steps_p99: float
    running: float
    waiting: float
    kv_usage: float
    preemptions: int
    requests: int
    """Simulated."""


def in_steps(deployment: Deployment, memory: MemoryBudget, workload: Workload) -> InSteps:
    """Schedule the traffic of one launch.

    Raises:
        CannotPredict: the pool or a setting is not known, or requests come by the second, which steps are not.
    """
    if workload.arrivals not in ("closed", "at_once"):
        raise CannotPredict(("a concurrency instead of a rate: steps have no length in seconds here",))
    clock = cast("CostModel", _StepClock())
    found: Prediction = predict(deployment, memory, workload, cost=clock, at_most=AT_MOST)
    return InSteps(
        first_token_steps=round(found.ttft_ms.mean.mid, 1), first_token_steps_p99=round(found.ttft_ms.p99.mid, 1),
        running=round(found.running, 1), waiting=round(found.waiting, 1), kv_usage=round(found.kv_usage, 3),
        preemptions=found.preemptions, requests=found.requests,
    )  # fmt: skip


def in_steps_after(
    deployment: Deployment, memory: MemoryBudget, workload: Workload, changes: Mapping[str, Json],
    env: Mapping[str, str] | None = None,
) -> InSteps:  # fmt: skip
    """The same with flags changed.

    Raises:
        CannotPredict: as :func:`in_steps`.
    """
    changed = with_flags(deployment, changes, env)
    return in_steps(changed, memory_after(deployment, memory, changed), workload)


def steps_words(before: InSteps, after: InSteps) -> str:
    """What changes in the schedule, in one line."""
    told = [
        f"{name} {was:g} -> {now:g}{unit}"
        for name, was, now, unit in (
            ("waiting", before.waiting, after.waiting, ""), ("running", before.running, after.running, ""),
            ("first token after", before.first_token_steps, after.first_token_steps, " steps"),
            ("preemptions", before.preemptions, after.preemptions, f" in {after.requests} requests"),
        ) if abs(now - was) > 0.03 * max(was, 1.0)
    ]  # fmt: skip
    return ", ".join(told) if told else "the schedule stays the same"
