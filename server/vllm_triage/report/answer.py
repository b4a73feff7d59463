"""What every tool gives back: one object, shown as structured data and as text, each complete by itself."""

import math
from functools import cached_property
from types import NoneType
from typing import Any

from ..domain import Noun
from .text import plain

__all__ = ["ToolAnswer"]


class ToolAnswer(Noun):
    """The result of one tool. `summary` comes first: two to four sentences a person can act on.

    A field that is part of the contract is always present, even when empty. An extra field says so with
    ``exclude_if`` and is left out when there is nothing to say.
    """

    summary: str

    def to_json(self) -> dict[str, Any]:
        """The answer as strict JSON: what is not finite (a flag may be given ``nan``) is text.

        The same object each time, not to be changed: an answer is shown as data and as text, and both are made of it.
        """
        return self.data

    @cached_property
    def data(self) -> dict[str, Any]:
        """What :meth:`to_json` gives."""
        data: dict[str, Any] = _finite(super().to_json())
        return data

    def to_text(self) -> str:
        """The same content as compact text, for a terminal or a client that shows the model only text."""
        return plain(self.to_json())

    def found(self) -> bool:
        """True when the answer holds something to act on (exit status 1 on the command line)."""
        return False


def _finite(item: Any) -> Any:
    if isinstance(item, float):
        return item if math.isfinite(item) else str(item)
    if isinstance(item, dict):
        return {name: part if type(part) in _PLAIN else _finite(part) for name, part in item.items()}
    return [part if type(part) in _PLAIN else _finite(part) for part in item] if isinstance(item, list) else item


_PLAIN = frozenset({str, int, bool, NoneType})
"""What most of an answer is, and needs no look."""
