"""What one pasted text yields before the texts are joined: numbers with their source, and what could not be read."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ..domain import Conflict, Ignored, Json, PoolReading

__all__ = ["Kind", "Partial", "Reading", "excerpt", "number", "plain"]

Kind: TypeAlias = Literal["given", "client", "statement", "gauge", "interval", "query", "log", "lifetime", "derived"]
"""How a number came to be, which decides what it outranks.

``given``: passed as an argument. ``client``: a load generator's own figures for one run. ``statement``: written in a
sentence or table. ``gauge``: a server gauge at one instant. ``interval``: server counters between two scrapes.
``query``: a Prometheus API reply. ``log``: the engine's periodic lines. ``lifetime``: server counters since start.
``derived``: arithmetic on other readings.
"""

EXCERPT = 200
_COLOUR = re.compile(r"(?:\x1b|#033)\[[0-9;]{0,20}m")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def excerpt(text: str, limit: int = EXCERPT) -> str:
    """`text` as one line without control characters, at most `limit` characters."""
    line = _CONTROL.sub(" ", text[: limit * 2]).strip()
    return line if len(line) <= limit else line[: limit - 1] + "…"


def plain(text: str) -> str:
    """`text` without terminal colours, real ones and those a log shipper wrote as ``#033[1;36m``."""
    if "\x1b[" not in text and "#033[" not in text:
        return text
    return _COLOUR.sub("", text)


def number(value: object) -> float | None:
    """A finite, non-negative measurement, or None for anything else (NaN, infinity, text, booleans, null)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return None
    return as_float if math.isfinite(as_float) and as_float >= 0 else None


@dataclass(frozen=True, slots=True)
class Reading:
    """One value of one :class:`~vllm_triage.domain.Observation` field, in that field's unit."""

    name: str
    value: float
    source: str
    kind: Kind


@dataclass(slots=True)
class Partial:
    """Everything one reader found in one text. Mutable while it is filled; joined by ``readers.evidence``."""

    what: str
    """What the text was taken for, as a person would say it."""
    readings: list[Reading] = field(default_factory=list)
    pool: PoolReading | None = None
    model_name: str | None = None
    vllm_version: str | None = None
    device: str | None = None
    launch: str | None = None
    settings: dict[str, Json] = field(default_factory=dict)
    """Engine settings the text prints as resolved, by setting name."""
    engines: int = 1
    ignored: list[Ignored] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    interval_s: float | None = None
    """Time between two scrapes, when the text says it."""
    order: tuple[float | str, ...] = ()
    """Among several texts of one kind the greatest is the one that is read."""

    def add(self, name: str, value: object, source: str, kind: Kind, scale: float = 1.0) -> None:
        """Keep a reading; None is no reading, and a value no measurement can have is listed as unread."""
        if value is None:
            return
        good = number(value)
        if good is None:
            self.unread.append(excerpt(f"{source}: {value!r} is not a measurement"))
        else:
            self.readings.append(Reading(name, good * scale, source, kind))

    def get(self, name: str) -> float | None:
        """The first value read for `name`, if any."""
        return next((r.value for r in self.readings if r.name == name), None)

    def names(self) -> Iterable[str]:
        """Fields that were read."""
        return (r.name for r in self.readings)
