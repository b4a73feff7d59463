"""JavaScript's object literals (``module.exports = {...}``), as lists, mappings and texts. Nothing is run.

Read are keys with or without quotes, single, double and backtick quotes, numbers, comments, trailing commas. What would have
to be computed (a name, a call, ``process.env.X``) becomes the variable ``$name``, whose value the paste does not give.
"""

import re
from typing import Any

from ..lazy import Lazy

__all__ = ["looks_like_ecosystem", "objects"]

_LOOKS = Lazy(r"^[ \t]*(?:module\.exports|export default|const \w+|var \w+)[ \t]*=?[ \t]*[\[{(]|^[ \t]*apps[ \t]*:[ \t]*\[", re.M)
_START = Lazy(
    r"(?:module\.exports[ \t]*=|export default|(?:const|var|let)[ \t]+\w+[ \t]*=)[ \t\n]*(?=[\[{])|^[ \t]*apps[ \t]*:[ \t]*(?=\[)", re.M
)
_BLANK = Lazy(r"(?:\s+|//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*+")
_KEY = Lazy(r"(?:([A-Za-z_$][\w$]*)|\"([^\"\\\n]*)\"|'([^'\\\n]*)')(?:\s|//[^\n]*\n)*:")
_TEXT = Lazy(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`", re.S)
_BARE = Lazy(r"[^,\]}\n]+")
_NUMBER = Lazy(r"-?\d[\d._]*(?:e[+-]?\d+)?|true|false")
_HOLE = Lazy(r"\$\{([^{}]*)\}")
_DEEPEST = 40
_MOST = 2_000
"""Values read of one text."""
_MOST_OBJECTS = 40


def looks_like_ecosystem(text: str) -> bool:
    """True for a file that says what a process manager starts, in JavaScript."""
    return "script" in text and "{" in text and ("exports" in text or "apps" in text) and _LOOKS.search(text) is not None


def objects(text: str) -> list[Any]:
    """Every object that the text exports or assigns."""
    found: list[Any] = []
    reader = _Reader(text)
    pos = 0
    while len(found) < _MOST_OBJECTS and reader.left > 0 and (match := _START.search(text, pos)):
        value, pos = reader.value(match.end(), 0)
        pos = max(pos, match.end())
        found.append(value)
    return found


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.left = _MOST

    def value(self, pos: int, depth: int) -> tuple[Any, int]:
        """The value at `pos` and the position behind it."""
        self.left -= 1
        pos = self._skip(pos)
        char = self.text[pos : pos + 1]
        if char in ("{", "[") and depth < _DEEPEST and self.left > 0:
            return self._members(pos + 1, depth) if char == "{" else self._items(pos + 1, depth)
        if match := _TEXT.match(self.text, pos):
            found = next((part for part in match.groups() if part is not None), "")
            return _HOLE.sub(lambda m: f"${_name(m[1])}", _unescaped(found)), self._past_rest(match.end())
        match = _BARE.match(self.text, pos)
        if match is None:
            return "", pos
        bare = match[0].partition("//")[0].strip()
        return bare if _NUMBER.fullmatch(bare) else f"${_name(bare)}", match.end()

    def _past_rest(self, pos: int) -> int:
        """Behind what is computed with a text (``'a'.split(' ')``, ``'a' + b``): left out."""
        match = _BARE.match(self.text, pos)
        return match.end() if match and match[0].strip()[:1] in (".", "+") else pos

    def _skip(self, pos: int) -> int:
        match = _BLANK.match(self.text, pos)
        return match.end() if match else pos

    def _members(self, pos: int, depth: int) -> tuple[dict[str, Any], int]:
        members: dict[str, Any] = {}
        while self.left > 0:
            pos = self._skip(pos)
            match = _KEY.match(self.text, pos)
            if match is None:
                return members, pos + 1
            members[match[1] or match[2] or match[3] or ""], pos = self.value(match.end(), depth + 1)
            pos = self._skip(pos)
            if not self.text.startswith(",", pos):
                return members, pos + 1
            pos += 1
        return members, len(self.text)

    def _items(self, pos: int, depth: int) -> tuple[list[Any], int]:
        items: list[Any] = []
        while self.left > 0:
            pos = self._skip(pos)
            if self.text[pos : pos + 1] in ("]", ""):
                return items, pos + 1
            item, pos = self.value(pos, depth + 1)
            items.append(item)
            pos = self._skip(pos)
            if not self.text.startswith(",", pos):
                return items, pos + 1
            pos += 1
        return items, len(self.text)


def _name(expression: str) -> str:
    return re.sub(r"\W+", "_", expression[:60].removeprefix("process.env.")).strip("_") or "value"


def _unescaped(text: str) -> str:
    return re.sub(r"\\(\n|.)", lambda m: {"n": "\n", "t": "\t", "\n": ""}.get(m[1], m[1]), text, flags=re.S) if "\\" in text else text
