"""What every tool gives back: one object, shown as structured data and as text, each complete by itself."""

from ..domain import Noun
from .text import plain

__all__ = ["ToolAnswer"]


class ToolAnswer(Noun):
    """The result of one tool. `summary` comes first: two to four sentences a person can act on.

    A field that is part of the contract is always present, even when empty. An extra field says so with
    ``exclude_if`` and is left out when there is nothing to say.
    """

    summary: str

    def to_text(self) -> str:
        """The same content as compact text, for a terminal or a client that shows the model only text."""
        return plain(self.to_json())

    def found(self) -> bool:
        """True when the answer holds something to act on (exit status 1 on the command line)."""
        return False
