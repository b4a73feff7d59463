"""A cost model that can be checked with a pencil, and small engines under traffic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vllm_triage.domain import Lengths, Workload
from vllm_triage.engine.scheduler import Limits, Scheduler, rules_for
from vllm_triage.engine.simulation.clock import Clock
from vllm_triage.engine.simulation.meter import Meter
from vllm_triage.engine.simulation.sessions import Sessions
from vllm_triage.engine.simulation.settle import Settling
from vllm_triage.engine.simulation.traffic import Traffic, traffic_of

__all__ = ["Pencil", "fixed", "limits", "simulate", "traffic"]


@dataclass(frozen=True)
class Pencil:
    """A step takes 10 ms, 0.1 ms for each decode, and something for each token of context and of a prompt."""

    first_token_ms: float = 0.0
    step: float = 10.0
    decode: float = 0.1
    context: float = 0.001
    prompt: float = 0.05

    def step_ms(self, decodes: int, context: int, chunks: Sequence[tuple[int, int]]) -> float:
        prompts = sum(self.prompt * tokens + self.context * before for tokens, before in chunks)
        return self.step + self.decode * decodes + self.context * context + prompts

    def stretch_ms(self, decodes: int, context: int, growth: float, count: int) -> float:
        mean = context + growth * (count - 1) / 2
        return count * (self.step + self.decode * decodes + self.context * mean)


def limits(
    seats: int = 8, budget: int = 256, blocks: int = 2000, *, ahead: bool = False, caching: bool = True,
    longest: int = 8192, drafts: int = 0, accepted: float = 0.0,
) -> Limits:  # fmt: skip
    return Limits(
        seats, budget, longest, blocks, async_scheduling=ahead, enable_prefix_caching=caching, draft_tokens=drafts,
        accepted_tokens=accepted,
    )  # fmt: skip


def fixed(mean: float) -> Lengths:
    return Lengths(mean=mean)


def traffic(workload: Workload, longest: int = 8192, front_ms: float = 0.0, seated: int = 10_000) -> Traffic:
    return traffic_of(workload, Sessions(workload, longest), front_ms, seated)


def simulate(
    workload: Workload, settings: Limits | None = None, costs: Pencil | None = None, *, stepwise: bool = False,
    at_most: int = 2000, progress: Callable[[float], None] | None = None, release: str = "0.33.0",
) -> tuple[Meter, Clock, Settling]:  # fmt: skip
    """Run a workload to its end, or until the figures are steady."""
    settings, costs = settings or limits(), costs or Pencil()
    meter = Meter(settings)
    clock = Clock(
        Scheduler(settings, rules_for(release)), costs, traffic(workload, settings.max_model_len, costs.first_token_ms),
        meter, stepwise=stepwise,
    )  # fmt: skip
    settling = Settling(workload, meter, at_most, progress)
    clock.run(settling.goes_on)
    return meter, clock, settling
