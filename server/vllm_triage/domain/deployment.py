"""What was configured: a launch, read for one vLLM version on one accelerator with one model."""

from typing import Literal

from .accelerator import Accelerator
from .base import Json, Noun, Origin, Sourced, Words
from .model import ModelShape

__all__ = ["Deployment", "EnvReading", "FlagReading", "FlagStatus", "Problem", "Setting", "Severity"]

FlagStatus = Literal["ok", "deprecated", "removed", "not_yet", "unknown", "invalid"]
"""How this version's parser meets the flag: `removed` existed before, `not_yet` comes later."""

Severity = Literal["fatal", "error", "warning", "info"]
"""`fatal`: this version's parser refuses the command line."""


class FlagReading(Noun):
    """One flag as given, and what this version makes of it."""

    flag: str
    """Canonical long name."""
    given_as: str
    """The token as typed (secrets redacted)."""
    value: Json
    default: Json = None
    default_why: str = ""
    is_default: bool = False
    controls: str = ""
    note: str = ""
    status: FlagStatus = "ok"
    did_you_mean: str | None = None
    dest: str = ""
    """The parser's destination name, such as ``max_num_seqs``."""


class EnvReading(Noun):
    """One environment variable set for the launch."""

    name: str
    value: str
    note: str = ""


class Setting(Noun):
    """A resolved engine setting."""

    value: Json
    origin: Origin
    why: str = ""


class Problem(Noun):
    """Something wrong with the input, with the way out."""

    severity: Severity
    flag: str | None = None
    message: str
    fix: str = ""
    code: str = ""
    """Stable id of the kind of problem, such as ``unknown-flag``."""


class Deployment(Noun):
    """A launch, resolved. The one object every later room reads configuration from."""

    source: str
    """Form the launch was pasted in: ``shell``, ``docker-run``, ``kubernetes``, ``python``, ``log``, ``model-id``..."""
    vllm_version: Sourced
    """The version every answer is for."""
    catalogue_version: str
    """The nearest release the flag catalogue knows; equal to the version when it is known exactly."""
    usage: Literal["server", "llm"] = "server"
    model: ModelShape | None = None
    model_id: str | None = None
    model_origin: Origin | None = None
    gpu: Accelerator | None = None
    gpu_count: int | None = None
    gpu_origin: Origin | None = None
    flags: tuple[FlagReading, ...] = ()
    args: dict[str, Json]
    """The parser's values that were given, by destination name (``max_num_seqs``)."""
    env: tuple[EnvReading, ...] = ()
    settings: dict[str, Setting]
    problems: tuple[Problem, ...] = ()
    unread: Words = ()
    """What in the paste was not understood, each with its place."""
    redacted: int = 0
    """How many secrets were blanked."""

    @property
    def version(self) -> str:
        """The version's text, such as ``0.33.0``."""
        return str(self.vllm_version.value)

    def setting(self, name: str) -> Json:
        """The resolved value of a setting, or None when it is not known."""
        found = self.settings.get(name)
        return None if found is None else found.value

    def was_given(self, dest: str) -> bool:
        """True when the user set this destination on the command line."""
        return dest in self.args
