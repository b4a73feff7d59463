"""Command lines as ``ps``, a log or an error prints them: words joined by blanks, the shell's quotes already gone."""

import re

from ..lazy import Lazy
from .draft import Draft, Reading
from .program import find_server, mentions_server

__all__ = ["read_printed"]

_PRINTED = Lazy(
    r"^\s*(?:[\w.+-]+\s+\d+\s+[\d.]+\s+[\d.]+\s+\d+\s+\d+\s"  # ps aux: user, pid, cpu, memory, sizes
    r"|[\w.+-]+\s+\d+\s+\d+\s+\d+\s+\S+\s+\S+\s"  # ps -ef
    r"|\d+\s+(?:\?|pts/\d+|tty\w*)\s+\S+\s+[\d:]+\s"  # ps ax
    r"|\[?\d{4}-\d\d-\d\d[ T]|\(?\w+ pid=|(?:INFO|DEBUG|WARNING)[: ]"
    r"|.{0,80}?\b(?:command|cmd|cmdline|command line|argv|started with|launched with|running|executing)\s*[:=]\s)",
    re.I,
)


def read_printed(text: str, reading: Reading, line: int = 1) -> str:
    """Read the printed command lines of a text; the text without them."""
    if '{"' not in text and "{'" not in text:
        return text
    lines = text.split("\n")
    for index, content in enumerate(lines):
        if '{"' not in content and "{'" not in content:
            continue  # without JSON, a shell's reading is the same
        if len(content) > 20_000 or not _PRINTED.match(content) or not mentions_server(content):
            continue
        if (found := find_server(_words(content))) is not None:
            reading.add(Draft("printed", found.entrypoint, found.arguments, line=line + index))
            lines[index] = ""
    return "\n".join(lines)


def _words(content: str) -> list[str]:
    """Words split at blanks; a JSON object or list is one word, whatever blanks it holds."""
    words: list[str] = []
    pos = 0
    while match := re.compile(r"\S+").search(content, pos):
        pos = match.end()
        start = match.start()
        word = match[0]
        brace = re.match(r"(?:--[\w.-]+=)?([{\[])(?=[\"'{\[\d]|$)", word)
        if brace and (end := _closing(content, start + brace.start(1))) > 0:
            word, pos = content[start:end], end
        words.append(word)
    return words


_MARKS = Lazy(r"[\[\]{}]|\"(?:[^\"\\]|\\.)*\"")


def _closing(content: str, pos: int) -> int:
    """Position behind the bracket that closes the one at `pos`, over strings; -1 when there is none."""
    depth = 0
    for match in _MARKS.finditer(content, pos):
        if match[0] in "[{":
            depth += 1
        elif match[0] in "]}":
            depth -= 1
            if not depth:
                return match.end()
    return -1
