"""JSON in pasted text: whole files, JSON lines, fenced blocks, and a document with words around it."""

import json

from ..domain import Json
from .reading import excerpt

__all__ = ["log_text", "prose_of", "split_json"]

MAX_ATTEMPTS = 8
"""Places at which a broken document is tried before the rest is left as text."""
MAX_DOCUMENTS = 20_000
MAX_PROSE = 200


def split_json(text: str) -> tuple[list[Json], str, list[str]]:
    """The JSON documents of `text`, the text that is left, and what looked like JSON and is not.

    A document starts at the beginning of a line with ``{`` or ``[``. NaN and infinities are let through as floats, to
    be refused where a measurement is wanted.
    """
    documents: list[Json] = []
    rest: list[str] = []
    broken: list[str] = []
    decoder = json.JSONDecoder()
    at, failures = 0, 0
    while at < len(text) and failures < MAX_ATTEMPTS and len(documents) < MAX_DOCUMENTS:
        start = _opening(text, at)
        if start < 0:
            break
        try:
            document, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as problem:
            failures += 1
            if not documents and _looks_whole(text, start):
                broken.append(
                    excerpt(f"JSON that does not parse ({problem.msg} at character {problem.pos} of {len(text)})")
                )
            end = _end_of_line(text, start)
            rest.append(text[at:end])
        except (RecursionError, ValueError):
            broken.append("JSON nested too deeply to read")
            return documents, "", broken
        else:
            rest.append(text[at:start])
            documents.append(document)
        at = end
    rest.append(text[at:])
    return documents, "".join(rest), broken


def _opening(text: str, at: int) -> int:
    """Where the next line begins with a brace or bracket, or the next document follows the last at once; -1 if
    nowhere.
    """
    while at < len(text):
        stop = at
        while stop < len(text) and text[stop] in " \t\r\n,":
            stop += 1
        if stop < len(text) and text[stop] in "{[":
            return stop
        line = text.find("\n", stop)
        if line < 0:
            return -1
        at = line + 1
    return -1


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _looks_whole(text: str, start: int) -> bool:
    """True when the text is meant as JSON: a quote or another bracket follows the first one."""
    after = text[start + 1 : start + 200].lstrip()
    return not text[:start].strip() and after[:1] in ('"', "{", "[", "}", "]", "")


def log_text(documents: list[Json]) -> str | None:
    """The log behind JSON log lines (``{"log": "..."}`` of a container runtime, ``message`` of a log shipper)."""
    for key in ("log", "message", "msg", "line"):
        lines = [value for d in documents if isinstance(d, dict) and isinstance(value := d.get(key), str)]
        if lines and len(lines) * 2 >= len(documents):
            return "\n".join(line.rstrip("\n") for line in lines)
    return None


def prose_of(documents: list[Json]) -> str:
    """The sentences in documents that are nothing else: an issue or a ticket as an object, one line each."""
    lines: list[str] = []
    for document in documents[:MAX_PROSE]:
        values = list(document.values())[:MAX_PROSE] if isinstance(document, dict) else []
        lines += [value for value in values if isinstance(value, str) and len(value) > 12 and " " in value]
    return "\n".join(lines)
