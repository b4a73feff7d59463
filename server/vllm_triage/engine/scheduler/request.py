"""One request on its way through the scheduler."""

from enum import IntEnum
from typing import TYPE_CHECKING

from .content import Chain
from .limits import Work

if TYPE_CHECKING:
    from .prefix_cache import Block

__all__ = ["Phase", "Request"]


class Phase(IntEnum):
    """Where a request stands."""

    WAITING = 0
    """Not running yet, or preempted."""
    PREFILL = 1
    """Running, with known tokens left to compute."""
    DECODE = 2
    """Running, one token a step, in step with all others that decode."""
    ENDING = 3
    """Still in the running list, its last token sampled but not yet seen: async scheduling alone."""
    DONE = 4


class Request:
    """A request's state. `number` is its place in the order of arrival.

    How far a decoding request has come is not stored: it has computed ``base + step`` tokens before step `step`, so
    that a step costs nothing per request that merely decodes.
    """

    __slots__ = (
        "arrived", "at", "base", "blocks", "cached", "chain", "computed", "explicit", "final", "finished", "first_at",
        "first_token", "goal", "number", "output", "phase", "preemptions", "priority", "prompt", "ready", "seat", "sender",
        "stalled_at", "total", "work",
    )  # fmt: skip

    def __init__(self, number: int, work: Work, output: int, chain: Chain, explicit: int, step: int) -> None:
        self.number = number
        self.work = work
        self.prompt = work.prompt_tokens
        self.output = output
        """Tokens it will generate: what was asked for, or what the model's length leaves."""
        self.total = self.prompt + output - 1
        """Tokens computed when its last token is sampled."""
        self.priority = work.priority
        self.chain = chain
        self.explicit = explicit
        """Blocks, from the first, that are kept one by one in the prefix cache, because something may look for them."""
        self.phase = Phase.WAITING
        self.goal = self.prompt
        """Known tokens when it was last admitted: all have to be computed before it decodes (again)."""
        self.computed = 0
        """Tokens computed, while in PREFILL."""
        self.ready = 0
        """Tokens known when its last prefill was complete."""
        self.base = 0
        self.final = -1
        """The step that samples its last token, while it decodes."""
        self.seat = -1
        """Its place in the running list: admissions are numbered."""
        self.blocks: list[Block] = []
        """The full blocks it holds among its first `explicit`, in order."""
        self.preemptions = 0
        self.arrived = step
        self.first_token = -1
        """Step that sampled its first token; -1 until then."""
        self.finished = -1
        """Step that sampled its last token; -1 until then."""
        # What follows belongs to whoever drives the scheduler with a clock; the scheduler itself looks at none of it.
        self.at = 0.0
        """When it was sent."""
        self.first_at = -1.0
        """When its first token was sampled."""
        self.stalled_at = -1.0
        """When it was preempted, until it gets a token again."""
        self.cached = -1
        """Tokens found in the cache when it was first admitted."""
        self.sender: object = None

    def __repr__(self) -> str:
        return f"Request({self.number}, {self.phase.name}, {self.prompt}+{self.output})"
