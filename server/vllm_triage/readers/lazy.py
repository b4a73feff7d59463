"""Regular expressions that are compiled when they are first used: who reads no log pays for none of its lines."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

__all__ = ["Lazy"]


class Lazy:
    """A pattern with the methods of :class:`re.Pattern` that the readers use."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = pattern
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        return self.compiled.search(text, start, len(text) if end is None else end)

    def match(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        return self.compiled.match(text, start, len(text) if end is None else end)

    def fullmatch(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, start, len(text) if end is None else end)

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, start, len(text) if end is None else end)

    def findall(self, text: str, start: int = 0, end: int | None = None) -> list[Any]:
        """Every match: its text, or its groups where the pattern has some."""
        return self.compiled.findall(text, start, len(text) if end is None else end)

    def split(self, text: str) -> list[str | Any]:
        return self.compiled.split(text)

    def pairs(self, text: str) -> Iterator[tuple[str, str]]:
        """The first two groups of every match."""
        return ((match.group(1), match.group(2)) for match in self.compiled.finditer(text))

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self.compiled.sub(replacement, text, count=count)

    def subn(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> tuple[str, int]:
        return self.compiled.subn(replacement, text)
