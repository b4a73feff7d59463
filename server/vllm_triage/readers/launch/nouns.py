"""What a paste holds: the launches in it, and the hints around them."""

from typing import Literal

from pydantic import Field

from ...domain import Json, Noun, Problem
from ...domain.base import Words

__all__ = ["Entrypoint", "Launch", "Paste"]

Entrypoint = Literal["serve", "api_server", "llm"]
"""``vllm serve``, ``python -m vllm.entrypoints.openai.api_server``, or a Python engine object."""


class Launch(Noun):
    """One launch, as the words vLLM's own parser gets.

    A word keeps its variables as typed (``$PORT``) where the paste gives them no value; `unset` names them.
    """

    source: str
    """Form it was pasted in: ``shell``, ``docker-run``, ``compose``, ``kubernetes``, ``python``, ``log``,
    ``model-id``..."""
    entrypoint: Entrypoint
    words: Words
    """The arguments after ``serve`` or the module, model tag included."""
    env: dict[str, str] = Field(default_factory=dict)
    """Environment variables the launch sets, by name."""
    config: dict[str, Json] | None = None
    """The YAML of ``--config``, where it was pasted alongside."""
    version: str | None = None
    """The vLLM version of this launch alone (its image tag, its log line)."""
    gpu: str | None = None
    """The accelerator of this launch as typed, any alias."""
    gpu_count: int | None = None
    place: str = ""
    """Where in the paste: ``line 3``, ``container vllm, line 12``."""
    unset: Words = ()
    """Variables the words need whose value is not in the paste."""
    placeholders: Words = ()
    """Words that only stand for a value: ``<model>``, ``YOUR_MODEL``."""
    notes: Words = ()
    """What was decided while reading: a default used, a smart quote straightened."""
    problems: tuple[Problem, ...] = ()
    """What a real shell, scheduler or engine would stumble over, with the fix."""
    unread: Words = ()

    def is_open(self, text: str) -> bool:
        """True when `text`, a word or a part of one, holds a variable whose value is not in the paste.

        What a parser says of such a word is not said of the launch: the real value is not known. Of a placeholder that is
        no variable see :meth:`is_placeholder`: a parser may well take it.
        """
        return any(mark in text for mark in ("$", "%", "{{")) and any(name.lstrip("$") in text for name in self.unset)

    def is_placeholder(self, text: str) -> bool:
        """True when `text` holds a word that only stands for a value."""
        return any(placeholder in text for placeholder in self.placeholders)


class Paste(Noun):
    """Everything read from one pasted text, launches in the order they stand."""

    launches: tuple[Launch, ...] = ()
    version: str | None = None
    """vLLM version named anywhere in the paste."""
    version_why: str = ""
    gpu: str | None = None
    """Accelerator named anywhere in the paste, as typed."""
    gpu_count: int | None = None
    gpu_why: str = ""
    unread: Words = ()
    """What was not understood, each with its place."""
    redacted: int = 0
    """How many secrets were blanked."""
