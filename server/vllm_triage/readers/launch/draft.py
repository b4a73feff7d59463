"""What the readers of each form write into while they read one paste."""

from dataclasses import dataclass, field
from typing import Any

from ...domain import Problem
from .nouns import Entrypoint

__all__ = ["Draft", "Reading"]


@dataclass(slots=True)
class Draft:
    """A launch being read; becomes a :class:`~.nouns.Launch` once the paste is read whole."""

    source: str
    entrypoint: Entrypoint
    words: list[str]
    env: dict[str, str] = field(default_factory=dict)
    config: dict[str, Any] | None = None
    version: str | None = None
    gpu: str | None = None
    gpu_count: int | None = None
    place: str = ""
    unset: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Reading:
    """Everything found so far. A form reader appends; it never removes."""

    drafts: list[Draft] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    """Environment set for every launch of the paste, such as a manifest's or a unit's."""
    depth: int = 0
    """How many texts inside texts (``bash -c``, here-documents) lead here."""

    def say(self, place: str, what: str) -> None:
        """Note something that was not understood, once."""
        line = f"{place}: {what}" if place else what
        if line not in self.unread:
            self.unread.append(line)
