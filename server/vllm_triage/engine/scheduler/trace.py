"""The trace of a run, step by step, as vLLM's own scheduler would leave it."""

from dataclasses import dataclass, field

from .limits import CannotSchedule
from .request import Request
from .step import Step

__all__ = ["MOST_STEPS", "Trace"]

MOST_STEPS = 200_000
"""Longest trace kept: every step takes memory."""


@dataclass(slots=True)
class Trace:
    """What was decided in each step. Requests are told by their number."""

    steps: list[list[list[int]]] = field(default_factory=list)
    """For each step ``[request, tokens]`` in the order of scheduling."""
    preempted: list[list[int]] = field(default_factory=list)
    """``[step, request]``, within a step by request."""
    waiting: list[int] = field(default_factory=list)
    """Waiting requests once each step was scheduled."""
    running: list[int] = field(default_factory=list)
    free_blocks: list[int] = field(default_factory=list)

    def record(self, step: Step) -> None:
        """Add a step or a stretch; the scheduler has to be tracing.

        Raises:
            CannotSchedule: the trace grows beyond :data:`MOST_STEPS`.
        """
        if len(self.steps) + step.count > MOST_STEPS:
            raise CannotSchedule(f"this takes more than {MOST_STEPS:,} steps, too many to trace")
        order = [[request.number, tokens] for request, tokens in step.order]
        self.steps += [order] * step.count
        self.preempted += [[step.number, number] for number in sorted(request.number for request in step.preempted)]
        self.waiting += [step.waiting] * step.count
        self.running += [step.running] * step.count
        self.free_blocks += step.frees

    def outcome(self, requests: list[Request]) -> dict[str, list[int]]:
        """When each request sampled its first and its last token; -1 for never."""
        return {
            "first_token_step": [request.first_token for request in requests],
            "finish_step": [request.finished for request in requests],
        }
