"""Who sends requests: a user with one question, or with a conversation of several turns."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from ...domain import Workload
from ..scheduler import Request, Run, Work
from .lengths import draws

__all__ = ["Role", "Session", "Sessions"]

Role = Literal["both", "prefill", "decode"]
"""Which part of a request this engine computes; ``prefill`` and ``decode`` with disaggregated prefill."""

WITHOUT_END = 1 << 40
"""The end of a run that goes on as long as the request."""


@dataclass(slots=True)
class Session:
    """One user: the turns still to come after the request that is in the system."""

    turns_left: int
    shared: tuple[Run, ...]


class Sessions:
    """Makes the requests of a workload, in the order they are sent.

    Lengths are drawn by themselves, apart from arrival times, so that the n-th request is the same under any
    configuration and any load.
    """

    __slots__ = ("_alone", "_inputs", "_labels", "_limit", "_outputs", "_pick", "_role", "_workload", "cut", "made")

    def __init__(self, workload: Workload, max_model_len: int, role: Role = "both") -> None:
        seed = workload.seed
        self._workload = workload
        self._limit = max_model_len
        self._role = role
        self._alone = workload.turns == 1
        self._inputs: Iterator[int] = draws(workload.input, Random(f"{seed} input"))  # noqa: S311 - not secrets
        self._outputs: Iterator[int] = draws(workload.output, Random(f"{seed} output"))  # noqa: S311
        self._pick = Random(f"{seed} prefix")  # noqa: S311
        self._labels = workload.prefix_groups
        self.made = 0
        """Requests made."""
        self.cut = 0
        """Requests whose lengths were cut to fit the model, which vLLM would refuse, and conversations that ended early."""

    def first(self) -> tuple[Work, Session | None]:
        """The first request of another user, and the user where there is more to come."""
        workload = self._workload
        prompt = next(self._inputs)
        prefix = workload.shared_prefix_tokens
        shared: tuple[Run, ...] = ()
        if prefix:
            groups = workload.prefix_groups
            shared = (Run(1 if groups == 1 else 1 + self._pick.randrange(groups), prefix),)
            prompt = max(prompt, prefix + 1)
        session = None
        if workload.turns > 1:
            self._labels += 1
            shared = (*shared, Run(self._labels, WITHOUT_END))
            session = Session(workload.turns - 1, shared)
        return self.fit(prompt, next(self._outputs), shared), session

    def then(self, session: Session, before: Request) -> Work | None:
        """The next turn, which begins with the whole conversation so far; None when it is over."""
        if not session.turns_left:
            return None
        session.turns_left -= 1
        said = before.prompt + before.output
        prompt = said + next(self._inputs)
        if prompt >= self._limit:
            self.cut += 1
            return None
        return self.fit(prompt, next(self._outputs), session.shared)

    def fit(self, prompt: int, output: int, shared: tuple[Run, ...]) -> Work:
        """A request of those lengths, cut to what the model takes."""
        self.made += 1
        limit = self._limit
        if prompt + output > limit:
            self.cut += 1
            prompt = min(prompt, max(1, limit - output, limit // 2))
            output = max(1, min(output, limit - prompt))
        if self._role == "both":
            return Work(prompt, output, 0, shared, 0, self._alone)
        if self._role == "prefill":
            return Work(prompt, 1, 0, shared, 0, self._alone)
        return Work(prompt, output, 0, shared, prompt, self._alone)
