"""What the readers of each form write into while they read one paste."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...domain import Problem
from ..secrets import is_secret_name
from .nouns import Entrypoint

__all__ = ["MAX_DEPTH", "MAX_IDLE", "MAX_LAUNCHES", "Draft", "Reading"]

MAX_DEPTH = 5
"""Texts inside texts (a script in a here-document in a unit file) are followed this deep."""
MAX_IDLE = 500
"""Different commands that name the server and start none, after which a text is read no further."""
MAX_LAUNCHES = 32
"""Launches read from one paste; what comes after is not read, and said so."""


@dataclass(slots=True, eq=False, repr=False)
class Draft:
    """A launch being read; becomes a :class:`~.nouns.Launch` once the paste is read whole."""

    source: str
    entrypoint: Entrypoint
    words: list[str]
    env: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] | None = None
    """Arguments by destination name, for forms that hold values and no words; put into words last, when the version
    is known."""
    config: dict[str, Any] | None = None
    version: str | None = None
    gpu: str | None = None
    gpu_count: int | None = None
    line: int = 1
    where: str = ""
    """Where inside the line's text: ``container vllm``, ``inside bash -c``."""
    unset: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def loose(self) -> bool:
        """True for arguments whose program is not shown, and which name the model by its flag."""
        elsewhere = self.source == "flags" or any("which is not vLLM itself" in note for note in self.notes)
        return elsewhere and any(word.split("=")[0] == "--model" for word in self.words)

    @property
    def place(self) -> str:
        """Where the launch stands in the paste."""
        return f"line {self.line}, {self.where}" if self.where else f"line {self.line}"


@dataclass(slots=True, eq=False, repr=False)
class Reading:
    """Everything found so far. A form reader appends; it never removes what another found."""

    drafts: list[Draft] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    """Files the paste writes with a here-document, by name."""
    secrets: set[str] = field(default_factory=set)
    """Values that the paste gives to names of secrets: blanked wherever they turn up."""
    gpu: str | None = None
    gpu_count: int | None = None
    gpu_why: str = ""
    depth: int = 0
    idle: int = 0
    """Commands so far that name the server and start none."""
    calls: int = 0
    """Calls of the scripts' own functions so far."""
    inner: "Callable[[str, Reading, int], None] | None" = None
    """Reads a text inside this one, whatever its form (a manifest in a here-document); starts at the given line."""

    @property
    def full(self) -> bool:
        """True when no further launch is read."""
        return len(self.drafts) >= MAX_LAUNCHES

    def add(self, draft: Draft) -> None:
        """Keep a launch, unless there are too many already."""
        if not self.full:
            self.drafts.append(draft)

    def say(self, line: int, what: str) -> None:
        """Note something that was not understood, once."""
        text = f"line {line}: {what}"
        if text not in self.unread and len(self.unread) < 200:
            self.unread.append(text)

    def keep_secret(self, env: Mapping[str, str]) -> None:
        """Remember the values of variables whose names are those of secrets."""
        self.secrets.update(value for name, value in env.items() if len(value) > 3 and is_secret_name(name))

    def hint(self, gpu: str | None, count: int | None, why: str) -> None:
        """An accelerator named around the launches; the first name and the first count stand."""
        if gpu and not self.gpu:
            self.gpu, self.gpu_why = gpu, why
        if count and not self.gpu_count:
            self.gpu_count = count
            self.gpu_why = self.gpu_why or why
