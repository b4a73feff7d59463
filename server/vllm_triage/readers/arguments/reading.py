"""What a command line's arguments are read as."""

from typing import NamedTuple

from vllm_triage.domain.base import Json
from vllm_triage.domain.deployment import FlagStatus, Problem
from vllm_triage.facts.flags import FlagSpec

__all__ = ["Arguments", "Given"]


class Given(NamedTuple):
    """One option as given, and what this version makes of it."""

    flag: str
    """Canonical long name; the word itself for an option no release knows."""
    given_as: str
    """The words as typed, secrets blanked."""
    value: Json
    status: FlagStatus = "ok"
    did_you_mean: str | None = None
    note: str = ""
    spec: FlagSpec | None = None
    """The option in this version; None when this version does not have it."""
    overridden: bool = False
    """True when a later word set the same option again, so this one has no effect."""


class Arguments(NamedTuple):
    """A command line as one release's parser reads it."""

    version: str
    """The catalogue's release whose rules were applied."""
    values: dict[str, Json]
    """Only what was given, by destination, after "last one wins"."""
    given: tuple[Given, ...] = ()
    model: str | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def accepted(self) -> bool:
        """True when that release's parser accepts the command line (the engine may still refuse a value: ``out-of-range``)."""
        return not any(problem.severity == "fatal" and problem.code != "out-of-range" for problem in self.problems)
