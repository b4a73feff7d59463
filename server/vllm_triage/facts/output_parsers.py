"""Tool-call and reasoning parsers by release.

Read from each release's parser modules by ``tools/build_output_parsers.py``.
"""

import json
from functools import cache
from pathlib import Path
from typing import Literal

from .versions import KNOWN, nearest

__all__ = ["first_seen", "parsers"]

_DATA = Path(__file__).with_name("data") / "output_parsers.json"

Kind = Literal["tool", "reasoning"]


@cache
def _catalogue() -> dict[str, dict[str, list[tuple[str, bool | None]]]]:
    found: dict[str, dict[str, list[tuple[str, bool | None]]]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return found


@cache
def parsers(kind: Kind, version: str) -> frozenset[str]:
    """The names a release accepts for --tool-call-parser or --reasoning-parser."""
    have = KNOWN.index(nearest(version))
    found = set()
    for name, rows in _catalogue()[kind].items():
        held = [told for first, told in rows if KNOWN.index(first) <= have]
        if held and held[-1]:
            found.add(name)
    return frozenset(found)


def first_seen(kind: Kind, name: str) -> str | None:
    """The first release with a parser of that name; None when no release has one."""
    rows = _catalogue()[kind].get(name)
    return None if rows is None else rows[0][0]
