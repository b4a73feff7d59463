"""A catalogue file read one entry at a time.

Most callers ask for a handful of some hundred entries; parsing them all would take the greater part of a short process.
The catalogues are JSON with one entry a line, so that an entry is found by how its line begins, and it alone is parsed.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["entry", "line"]

_DECODER = json.JSONDecoder()


@cache
def _text(name: str) -> str:
    return (Path(__file__).parent / "data" / name).read_text(encoding="utf-8")


def entry(name: str, key: str, section: str = "") -> Any:
    """The value of `key` in the catalogue file `name`; None where there is none.

    With `section`, the key of the object that this top-level key holds: the rest of the file is not looked at.
    """
    text = _text(name)
    first, last = 0, len(text)
    if section:
        first = text.index(f'\n"{section}":{{')
        last = text.index("\n}", first)
    return _value(text, f"\n{json.dumps(key, ensure_ascii=False)}:", first, last)


def line(name: str, holds: str) -> Any:
    """The object of the first line that holds this text, in a catalogue that is a list; None where there is none."""
    text = _text(name)
    found = text.find(holds)
    return None if found < 0 else _DECODER.raw_decode(text, text.rindex("\n", 0, found + 1) + 1)[0]


def _value(text: str, mark: str, first: int, last: int) -> Any:
    at = text.find(mark, first, last)
    if at < 0:
        return None
    at += len(mark)
    return _DECODER.raw_decode(text, at + 1 if text[at] == " " else at)[0]
