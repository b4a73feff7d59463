"""Functions of a script that start a server, read where they are called, with the arguments they are called with."""

import re
from itertools import islice
from typing import NamedTuple

from ..lazy import Lazy
from .program import may_matter

__all__ = ["MAX_CALLS", "Functions", "functions_of"]

_DEFINED = Lazy(
    r"^([ \t]*)(?:function[ \t]+([A-Za-z_][\w-]*)[ \t]*(?:\(\))?|([A-Za-z_][\w-]*)[ \t]*\(\))[ \t]*\{[ \t]*(?:#[^\n]*)?\n", re.M
)
_CALLED = Lazy(r"^[ \t]*(?:if[ \t]+)?([A-Za-z_][\w-]*)[ \t]+[^\s(={;&|]", re.M)
_MOST_LINES = 2_000
_MOST = 50
MAX_CALLS = 64
"""Calls followed in one paste."""


class Functions(NamedTuple):
    """A script without the bodies of functions that are read elsewhere, and these bodies by name."""

    text: str
    bodies: dict[str, tuple[int, str]]
    """Each with the number of lines before it."""


def functions_of(text: str) -> Functions:
    """Take out the functions that may start a server and are called with arguments; lines keep their numbers."""
    if "{" not in text or _DEFINED.search(text) is None:
        return Functions(text, {})
    calls: dict[str, list[int]] = {}
    for match in islice(_CALLED.finditer(text), _MOST_LINES):
        calls.setdefault(match[1], []).append(match.start())
    bodies: dict[str, tuple[int, str]] = {}
    kept: list[str] = []
    done = 0
    for match in islice(_DEFINED.finditer(text), _MOST):
        end = text.find(f"\n{match[1]}}}", match.end() - 1)
        name, body = match[2] or match[3], text[match.end() : end]
        if match.start() < done or end < 0 or name in bodies or not may_matter(body):
            continue
        if not any(at < match.start() or at > end for at in calls.get(name, ())):
            continue  # read where it stands
        bodies[name] = (text.count("\n", 0, match.end()), body)
        kept += (text[done : match.start()], "\n" * text.count("\n", match.start(), end + 1))
        done = end + 2 + len(match[1])
    return Functions("".join([*kept, text[done:]]) if bodies else text, bodies)
