"""What came of one step, or of a stretch of equal ones."""

from .request import Request

__all__ = ["Chunk", "Step"]

Chunk = tuple[Request, int, int]
"""Part of a prefill: the request, the tokens of this step, the tokens computed (or found in the cache) before it."""


class Step:
    """One step, or `count` steps in which nothing was decided: each the same, but for the context growing.

    The scheduler fills the same object again: what is to be kept has to be copied before the next step.
    """

    __slots__ = (
        "chunks", "context", "count", "decodes", "ended", "first", "free", "frees", "held", "number", "order",
        "preempted", "running", "waiting", "width",
    )  # fmt: skip

    def __init__(self, width: int) -> None:
        self.width = width
        """Tokens each decoding request takes from the budget: one, and its drafts."""
        self.number = 0
        """The (first) step."""
        self.count = 1
        self.decodes = 0
        """Requests that decoded in each of the steps."""
        self.context = 0
        """Tokens those had computed before the first of the steps, together. Each step adds `decodes`, and
        with speculation what was accepted."""
        self.held = 0
        """Decoding requests that the budget did not reach."""
        self.chunks: list[Chunk] = []
        self.preempted: list[Request] = []
        self.first: list[Request] = []
        """Requests whose first token was sampled."""
        self.ended: list[Request] = []
        """Requests whose last token was sampled, in the last of the steps."""
        self.waiting = 0
        """Requests waiting once the (last) step was scheduled."""
        self.running = 0
        self.free = 0
        """Free KV blocks once the last step was scheduled."""
        self.order: list[tuple[Request, int]] = []
        """Who computed how many tokens, in the order of scheduling. Only when tracing."""
        self.frees: list[int] = []
        """`free` after each of the steps. Only when tracing."""

    def begin(self, number: int, count: int, decodes: int, context: int) -> None:
        """Forget the step before."""
        self.number = number
        self.count = count
        self.decodes = decodes
        self.context = context
        self.held = 0
        self.chunks = []
        self.preempted = []
        self.first = []
        self.ended = []
        self.order = []

    @property
    def tokens(self) -> int:
        """Tokens computed in each of the steps."""
        return self.decodes * self.width + sum(chunk[1] for chunk in self.chunks)
