"""What to turn, to which value, with what effect. Two house rules are types here.

`chunked-prefill-cleared`: an action that turns chunked prefill on cannot exist without the compat report that
cleared it. `tune-before-scale`: an action that adds GPUs or replicas cannot exist without the list of what was
tried first.
"""

import re
from typing import Any, Literal, NoReturn, Self

from pydantic import Field, model_validator

from .base import Json, Noun
from .finding import CompatReport

__all__ = ["SCALE_OUT_FLAGS", "Exhausted", "Proof", "Recommendation"]

SCALE_OUT_FLAGS = frozenset(
    {
        "--tensor-parallel-size",
        "--pipeline-parallel-size",
        "--data-parallel-size",
        "--data-parallel-size-local",
        "--nnodes",
        "--decode-context-parallel-size",
        "--prefill-context-parallel-size",
    }
)
"""Flags that add GPUs when raised."""


class Exhausted(Noun):
    """A scheduler-level change that cannot help any more, and why."""

    change: str
    because: str


class Proof(Noun):
    """The two runs that would show an effect, or that there is none: the same load before and after, one session."""

    before: str
    """Command line of the run on the server as it is."""
    after: str
    """Command line of the run on the changed server."""
    requests: int = Field(ge=1)
    """Prompts of each run."""
    compare: str
    """Which figure to hold against which, and what size of difference is expected."""
    how: str
    """How `requests` was computed."""


class Recommendation(Noun):
    """One ordered action.

    Raises:
        pydantic.ValidationError: when it turns chunked prefill on without a clearing compat report, or adds
            GPUs or replicas without the list of what was exhausted.
    """

    order: int = Field(ge=1)
    kind: Literal["flag", "environment", "client", "workload", "scale_out"] = "flag"
    action: str
    flag: str | None = None
    from_: Json = Field(default=None, alias="from")
    to: Json = None
    why: str
    expected: str
    watch: str
    risk: str
    undo: str
    clearance: CompatReport | None = Field(default=None, exclude=True, repr=False)
    """The report of check_compat on the configuration as it would be after this action."""
    exhausted: tuple[Exhausted, ...] = ()
    simulated: bool = False
    """True when `expected` comes from a simulation of this deployment under the measured load."""
    prove: Proof | None = None

    @property
    def cleared_by(self) -> str:
        """How the action was cleared, in words."""
        if self.clearance is None:
            return ""
        return f"check_compat, vLLM {self.clearance.vllm_version}: {self.clearance.rules_checked} rules, none fatal"

    def to_json(self) -> dict[str, Any]:
        """The action as JSON data, with `cleared_by` in place of the report itself."""
        return {**super().to_json(), "cleared_by": self.cleared_by}

    @model_validator(mode="after")
    def _house_rules(self) -> Self:
        if self.clearance is not None and not self.clearance.ok:
            raise ValueError("an action cannot be cleared by a compat report with fatal findings")
        if self._turns_chunked_prefill_on() and not (self.clearance and self.clearance.speculation_checked):
            raise ValueError(
                "chunked-prefill-cleared: turning chunked prefill on needs the compat report that cleared it"
            )
        if self._adds_gpus() and not self.exhausted:
            raise ValueError("tune-before-scale: adding GPUs or replicas needs the list of what was exhausted")
        return self

    def _turns_chunked_prefill_on(self) -> bool:
        if self.flag == "--enable-chunked-prefill":
            return self.to not in (False, "false")
        if self.flag in ("--no-enable-chunked-prefill", "--disable-chunked-prefill"):
            return self.to in (None, False, "false")  # taking the flag out turns it on
        return bool(re.search(r"(?<!no-)enable-chunked-prefill", self.action))

    def _adds_gpus(self) -> bool:
        if self.kind == "scale_out":
            return True
        if self.flag not in SCALE_OUT_FLAGS:
            return False
        old = self.from_ if isinstance(self.from_, int) else 1
        return not isinstance(self.to, int) or self.to > old

    @classmethod
    def model_construct(cls, _fields_set: set[str] | None = None, **_: Any) -> NoReturn:  # type: ignore[override]
        """Refused: it would skip the house rules."""
        raise TypeError("a Recommendation is always validated; call Recommendation(...)")

    def model_copy(self, *, update: Any = None, deep: bool = False) -> Self:  # noqa: ARG002 (frozen: deep and shallow are one)
        """A validated copy."""
        return self.but(**(update or {}))
