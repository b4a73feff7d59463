"""Flags by themselves: no program before them, one or more on a line, with or without the dashes of a list."""


from ..lazy import Lazy
from .draft import Draft, Reading
from .shell_variables import Scope
from .shell_words import ShellLexer

__all__ = ["looks_like_flags", "read_flags"]

_FLAG = Lazy(r"--[a-z][\w.-]*(?:[= ]|$)")


def looks_like_flags(text: str) -> bool:
    """True when the text begins with a flag and most of its lines do, none of them continued with a backslash."""
    if text.lstrip()[:1] not in ("-", "#", "/"):
        return False
    lines = _lines(text)
    if not lines or not _FLAG.match(lines[0]):
        return False
    return not any(line.endswith("\\") for line in lines) and 2 * sum(line.startswith("-") for line in lines) > len(
        lines
    )


def _lines(text: str) -> list[str]:
    found = (line.strip() for line in text.split("\n"))
    return [line for line in found if line and not line.startswith(("#", "//"))]


def read_flags(text: str, reading: Reading, line: int = 1) -> None:
    """Read all lines as one command line; a line that is no flag and no list item is left out and named."""
    draft = Draft("flags", "serve", [], line=line)
    scope = Scope()
    for content in _lines(text):
        if not content.startswith("-"):
            draft.unread.append(f"{draft.place}: {content[:80]}")
            continue
        lexer = ShellLexer(content, scope)
        while (command := lexer.command()) is not None:
            words = command.words[1:] if command.words[:1] == ["-"] else command.words
            draft.words += [word.rstrip(",") for word in words] if content.endswith(",") else words
            draft.unset += command.said.unset
            draft.notes += command.said.notes
            draft.unread += [f"{draft.place}: {what}" for what in command.said.unread]
    reading.add(draft)
