"""vLLM's V1 scheduler, simulated exactly: who computes how many tokens in which step, and who waits or is preempted."""

from .limits import CannotSchedule, Limits, Policy, Run, Work
from .replay import Arrivals, replay
from .request import Phase, Request
from .rules import CHANGES, OLDEST, OPTIONS, Change, Rules, UnknownScheduler, refuse_unknown, rules_for
from .scheduler import Scheduler
from .step import Chunk, Step
from .trace import Trace

__all__ = [
    "CHANGES", "OLDEST", "OPTIONS", "Arrivals", "CannotSchedule", "Change", "Chunk", "Limits", "Phase", "Policy", "Request",
    "Rules", "Run", "Scheduler", "Step", "Trace", "UnknownScheduler", "Work", "refuse_unknown", "replay", "rules_for",
]  # fmt: skip
