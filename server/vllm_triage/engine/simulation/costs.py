"""What the clock asks of a cost model."""

from collections.abc import Sequence
from typing import Protocol

__all__ = ["StepCosts"]


class StepCosts(Protocol):
    """Time of the steps of one replica, ms. :class:`~vllm_triage.engine.cost.CostModel` is one."""

    @property
    def first_token_ms(self) -> float:
        """Front end, outside the steps: once for each request."""
        ...

    def step_ms(self, decodes: int, context: int, chunks: Sequence[tuple[int, int]]) -> float:
        """One step of `decodes` sequences that hold `context` tokens together, and of prefill chunks
        ``(tokens computed, tokens already there)``."""
        ...

    def stretch_ms(self, decodes: int, context: int, growth: float, count: int) -> float:
        """`count` steps of decodes alone, the context growing by `growth` tokens a step."""
        ...
