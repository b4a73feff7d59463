"""Variables of a shell text: what the paste assigns is used, everything else is named and left as typed."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ..lazy import Lazy
from ..secrets import is_secret_name

__all__ = ["MAX_VALUE", "Expander", "Said", "Scope", "closing_brace", "closing_paren", "short"]

_NAME = Lazy(r"[A-Za-z_][A-Za-z0-9_]*")
_PARAMETER = Lazy(r"([A-Za-z_]\w*|[@*#]|\d+)(\[[@*\w]+\])?")
_OPERATOR = Lazy(r":?[-=+?]")
_KUBERNETES = Lazy(r"\$\(([A-Za-z_]\w*)\)")
_BEGINS = frozenset("({@*#?!-0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_MAX_NESTING = 12
MAX_VALUE = 8_192
"""Longest value a variable may grow to by expansion: a paste that doubles a variable line by line stops there."""


class Said:
    """What was decided, and what was not understood, while words were read."""

    __slots__ = ("codes", "notes", "substitutions", "unread", "unset")

    def __init__(self) -> None:
        self.unset: list[str] = []
        self.notes: list[str] = []
        self.codes: list[str] = []
        """Named slips met: ``comment-after-backslash``, ``space-after-backslash``, ``unquoted-json``."""
        self.unread: list[str] = []
        self.substitutions: list[str] = []
        """Bodies of ``$(...)`` and backticks, never run."""


@dataclass(slots=True, eq=False, repr=False)
class Scope:
    """Variables assigned in the paste so far."""

    values: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, list[str]] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    arguments: list[str] | None = None
    """The script's own arguments (``$@``), where they are known."""
    kubernetes: bool = False
    """True where ``$(NAME)`` is a variable, as in a Kubernetes manifest, and not a command."""

    def copy(self) -> "Scope":
        """A scope that a nested text may change without changing this one."""
        return Scope(
            dict(self.values),
            {k: list(v) for k, v in self.arrays.items()},
            set(self.exported),
            self.arguments,
            self.kubernetes,
        )


def short(text: str, size: int = 80) -> str:
    """An excerpt of one line."""
    text = " ".join(text[: 4 * size].split())
    return text if len(text) <= size else text[: size - 1] + "…"


@dataclass(slots=True, eq=False, repr=False)
class Expander:
    """Expands ``$...`` at a position of a text. `nested` reads the word of a default such as ``${X:-word}``."""

    scope: Scope
    nested: Callable[[str, Said, bool, int], list[str]]
    budget: int = 1 << 20
    """Characters that may still be looked at or produced; once spent, expansions stay as typed."""
    split: bool = field(default=False, init=False)
    """True when the last expansion was a list (``$@``, ``${A[@]}``), whose items stay separate words even in quotes."""

    def at(self, text: str, pos: int, said: Said, *, quoted: bool, limit: int, depth: int = 0) -> tuple[list[str], int]:
        """The words of the expansion at `pos` and the position behind it."""
        self.split = False
        following = text[pos + 1 : pos + 2]
        if self.budget <= 0 or not following or following not in _BEGINS:
            return ["$"], pos + 1
        if following == "(":
            return self._substitution(text, pos, said, limit)
        if following == "{":
            end = closing_brace(text, pos + 2, min(limit, pos + 8192))
            if end < 0:
                self.budget -= min(limit, pos + 8192) - pos
                said.unread.append("a ${ that is never closed")
                return ["${"], pos + 2
            return self._spent(self._parameter(text[pos + 2 : end], said, quoted, depth)), end + 1
        if match := _NAME.match(text, pos + 1):
            return self._spent(self._value(match[0], said, quoted)), match.end()
        return self._special(following, f"${following}", said), pos + 2

    def _spent(self, pieces: list[str]) -> list[str]:
        self.budget -= sum(map(len, pieces)) + 16
        return pieces

    def _special(self, name: str, typed: str, said: Said) -> list[str]:
        """``$@``, ``$1`` and the like: known only where a manifest gives the script its arguments."""
        given = self.scope.arguments
        if name in "@*":
            self.split = True
            if given is not None:
                return list(given)
            said.unset.append(typed)
            said.unread.append(f"{typed}: the script's own arguments are not in this paste")
            return []
        if given is not None and name.isdigit() and 0 < int(name) <= len(given):
            return [given[int(name) - 1]]
        said.unset.append(typed)
        return [typed]

    def _value(self, name: str, said: Said, quoted: bool) -> list[str]:
        scope = self.scope
        if name in scope.values:
            value = scope.values[name]
            return [value] if quoted else value.split()
        if name in scope.arrays:
            return scope.arrays[name][:1]
        said.unset.append(name)
        return [f"${name}"]

    def _parameter(self, body: str, said: Said, quoted: bool, depth: int) -> list[str]:
        whole = "${" + body + "}"
        match = _PARAMETER.match(body)
        if match is None or depth > _MAX_NESTING:
            said.unset.append(short(body, 40))
            said.unread.append(f"{short(whole)} is not evaluated")
            return [whole]
        name, index, rest = match[1], match[2], body[match.end() :]
        operator = _OPERATOR.match(rest)
        if operator:
            return self._default(name, index, (operator[0], rest[operator.end() :]), said, quoted=quoted, depth=depth)
        if name in ("@", "*") or (name.isdigit() and not rest):
            return self._special(name, whole, said)
        if index and index[1] in "@*":
            self.split = True
            if name in self.scope.arrays and not rest:
                return list(self.scope.arrays[name])
            if name in self.scope.values and not rest:
                return [self.scope.values[name]]
            said.unset.append(name)
            said.unread.append(f"{whole}: an array that is not in this paste")
            return []
        if rest or name == "#":
            if name not in self.scope.values:
                said.unset.append(name)
            said.unread.append(f"{short(whole)} is not evaluated")
            return [whole]
        if index:
            return self._item(name, index, whole, said)
        if name not in self.scope.values and name not in self.scope.arrays:
            said.unset.append(name)
            return [whole if not name.isidentifier() else f"${name}"]
        return self._value(name, said, quoted)

    def _item(self, name: str, index: str, whole: str, said: Said) -> list[str]:
        items = self.scope.arrays.get(name)
        if items is not None and index[1:-1].isdigit():
            position = int(index[1:-1])
            return [items[position]] if position < len(items) else [""]
        said.unset.append(name)
        return [whole]

    def _default(
        self, name: str, index: str | None, typed: tuple[str, str], said: Said, *, quoted: bool, depth: int
    ) -> list[str]:
        """``${X:-word}`` and its kin. A variable the paste does not set takes the default, and that is said."""
        operator, word = typed
        whole = "${" + name + (index or "") + operator + word + "}"
        scope = self.scope
        given: str | None = scope.values.get(name)
        if given is None and name in scope.arrays:
            given = " ".join(scope.arrays[name])
        if given is None and name in "@*" and scope.arguments is not None:
            given = " ".join(scope.arguments)
        if given is None and name.isdigit() and scope.arguments is not None and 0 < int(name) <= len(scope.arguments):
            given = scope.arguments[int(name) - 1]
        empty = given is None or (operator.startswith(":") and given == "")
        sign = operator[-1]
        if sign == "+":
            if given is None:
                said.notes.append(f"{name} is not set in this paste: {short(whole)} adds nothing")
            if empty:
                self.split = True
                return []
            return self.nested(word, said, quoted, depth + 1)
        if not empty:
            value = given or ""
            if index and index[1] in "@*" and name in scope.arrays:
                self.split = True
                return list(scope.arrays[name])
            return [value] if quoted else value.split()
        if sign == "?":
            said.unset.append(name)
            return [f"${name}"]
        pieces = self.nested(word, said, quoted, depth + 1)
        value = " ".join(pieces)
        if given is None:
            shown = "(a secret)" if is_secret_name(name) else short(value) or "(nothing)"
            said.notes.append(f"{name} is not set in this paste: its default {shown} is used")
        if sign == "=" and len(value) <= MAX_VALUE:
            scope.values[name] = value
        if not pieces:
            self.split = True
        return pieces

    def _substitution(self, text: str, pos: int, said: Said, limit: int) -> tuple[list[str], int]:
        if self.scope.kubernetes and (match := _KUBERNETES.match(text, pos)):
            name = match[1]
            if name in self.scope.values:
                return [self.scope.values[name]], match.end()
            said.unset.append(name)
            return [match[0]], match.end()
        end = closing_paren(text, pos + 1, limit)
        self.budget -= (limit if end < 0 else end) - pos
        if end < 0:
            said.unread.append("a $( that is never closed")
            return ["$("], pos + 2
        body = text[pos : end + 1]
        said.unread.append(f"{short(body)} is not run")
        said.unset.append(short(body))
        if not body.startswith("$(("):
            said.substitutions.append(body[2:-1])
        return [body], end + 1


def closing_brace(text: str, pos: int, limit: int) -> int:
    """Position of the ``}`` that closes a ``${`` opened before `pos`, on the same line; -1 when there is none."""
    depth = 1
    while pos < limit:
        char = text[pos]
        if char == "\\":
            pos += 1
        elif char == "{" and text[pos - 1] == "$":
            depth += 1
        elif char == "}":
            depth -= 1
            if not depth:
                return pos
        elif char == "\n":
            return -1
        pos += 1
    return -1


_PARENS = Lazy(r"[()]|'[^']*'|\"(?:[^\"\\]++|\\.)*+\"|\\.|['\"\\]", re.S)
_MOST_PARENS = 100
"""Parentheses inside one another that are followed; no command has as many."""


def closing_paren(text: str, pos: int, limit: int) -> int:
    """Position of the ``)`` that closes the ``(`` at `pos`, over quotes; -1 when there is none."""
    depth = 0
    if text.find(")", pos, limit) < 0:
        return -1
    for match in _PARENS.finditer(text, pos, limit):
        found = match[0]
        if found == "(":
            depth += 1
            if depth > _MOST_PARENS:
                return -1
        elif found == ")":
            depth -= 1
            if not depth:
                return match.start()
        elif found in ("'", '"'):  # never closed, and so is what stands around it
            return -1
    return -1
