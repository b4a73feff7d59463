"""What copying does to a text, undone before reading: typographic quotes and dashes, odd blanks, terminal colours,
Markdown."""

import re
import shlex
from itertools import islice
from typing import NamedTuple

from ..lazy import Lazy

__all__ = ["Block", "blocks", "excerpt", "plain", "straightened", "unprompted"]

_CONTROL = Lazy(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2028\u2029\u2060\ufeff]")
_BLANKS = {"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u3000": " ", "\r": "\n"}
_QUOTES = {
    "“": '"', "”": '"', "„": '"', "‟": '"', "″": '"', "＂": '"', "«": '"', "»": '"',
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "＇": "'",
}  # fmt: skip
_ANY_QUOTE = Lazy("[“”„‟″＂«»‘’‚‛＇]")
_APOSTROPHE = Lazy(r"(?<=[A-Za-z])’(?=[a-z]|\s)")
_DASHES = Lazy(r"(?:^|(?<=[\s\"'`\[(,]))(?:[–—−‒]+-?|-[–—−‒]+)(?=[A-Za-z])", re.M)
_SHORT_OPTION = Lazy(r"(?:tp|pp|dp|ep|cc|ac|sc|dc|asc|dpn|dpr|dpl|dpa|dpp|dpb|dcp|pcp|O\d?|[a-zA-Z])(?=[\s=.]|$)")
_WIDE = Lazy(r"(?<=[\"\d\]}a-z])[ ]?([：，])(?=\s*[\"'\d\[{a-zA-Z-])")
_MARK = Lazy(r"^[ \t]*(?:>>>|>)[ \t]+(?=\S)|^\.\.\. ", re.M)
_TARGET = Lazy(r"(?!-)(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'\\])+[ \t]*(?:2>|[&|;)#]|$)", re.M)
"""A file that output goes to, and what may follow it on its line."""
_DIRECTIVE = Lazy(
    r"^([ \t]*)\.\. (?:code-block|code|sourcecode)::[ \t]*([\w+-]*)[^\n]*\n((?:\1[ \t]+[^\n]*\n?|[ \t]*\n)+)", re.M
)
_FENCE = Lazy(r"^[ \t>]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n`]*$", re.M)


class Block(NamedTuple):
    """One text of a paste: a fenced block, or everything when there are no fences."""

    text: str
    line: int
    language: str = ""
    fenced: bool = False


def plain(text: str) -> str:
    """One kind of line break and of blank; no colours, no control characters, no invisible ones."""
    if text.count("\0") >= 3:  # a process's arguments as the kernel tells them
        text = "\n".join(shlex.join(line.strip("\0").split("\0")) if "\0" in line else line for line in text.split("\n"))
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    text = _replaced(text, _BLANKS) if not text.isascii() or "\r" in text else text
    if text.replace("\n", "").replace("\t", "").isprintable():  # none of what the pattern names is
        return text
    return _CONTROL.sub("", text)


def _replaced(text: str, table: dict[str, str]) -> str:
    """As :meth:`str.translate`, which looks at every letter of a text in a table: most tables have none of them."""
    for typed, plain_one in table.items():
        if typed in text:
            text = text.replace(typed, plain_one)
    return text


def unprompted(text: str) -> str:
    """The text without the marks of a quotation or a prompt at the beginning of its lines (``> ``, ``>>> ``)."""
    return _MARK.sub(_unmarked, text) if ">" in text else text


def _unmarked(match: re.Match[str]) -> str:
    """Nothing, but for a redirection on a line of its own: one that continues a line which is no quotation."""
    text, start = match.string, match.start()
    at = start - 2  # before the line break
    while at >= 0 and text[at] in " \t":
        at -= 1
    if at < 0 or text[at] != "\\" or not _TARGET.match(text, match.end(), match.end() + 500):
        return ""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return "" if line.lstrip().startswith(">") else match[0]


def straightened(text: str) -> tuple[str, list[str]]:
    """Typographic quotes, dashes and full-width marks as a keyboard types them, and what was changed.

    A word processor or a blog turns ``--`` into a dash and ``"`` into a curly quote; a shell takes neither. What was
    meant is read, and the change is said, for the text as it stands does not run.
    """
    if text.isascii():
        return text, []
    notes: list[str] = []
    if _ANY_QUOTE.search(text):
        kept = _APOSTROPHE.sub("\ue010", text) if "‘" not in text else text
        changed = _replaced(kept, _QUOTES)
        if changed != kept:
            notes.append(
                "typographic quotes are read as plain ones: copied as they are, a shell would not take them for quotes"
            )
        text = changed.replace("\ue010", "’")
    wide = 0
    if "：" in text or "，" in text:
        text, wide = _WIDE.subn(lambda m: {"：": ":", "，": ","}[m[1]], text)
    if wide:
        notes.append("full-width colons and commas are read as plain ones: JSON knows only the plain")

    def dash(match: re.Match[str]) -> str:
        return "-" if _SHORT_OPTION.match(match.string, match.end()) else "--"

    dashes = 0
    if any(mark in text for mark in "–—−‒"):
        text, dashes = _DASHES.subn(dash, text)
    if dashes:
        notes.append(
            "a long dash before an option is read as --: copied as it is, vLLM would not take it for an option"
        )
    return text, notes


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a Markdown text, and the text outside them last; a text without fences is one block."""
    fences = list(_FENCE.finditer(text)) if "```" in text or "~~~" in text else []
    if not fences:
        return _directives(text) or [Block(text, 1)]
    found: list[Block] = []
    outside: list[str] = []
    pos = index = counted = 0
    line = 1
    while index < len(fences):
        opening = fences[index]
        close = next((i for i in range(index + 1, min(index + 50, len(fences))) if _closes(fences[i], opening)), None)
        outside.append(text[pos : opening.start()])
        end = len(text) if close is None else fences[close].start()
        line += text.count("\n", counted, opening.end()) + 1
        counted = opening.end() + 1
        found.append(Block(text[opening.end() + 1 : end], line, opening[2].lower(), fenced=True))
        pos = len(text) if close is None else fences[close].end()
        index = len(fences) if close is None else close + 1
    outside.append(text[pos:])
    return [*found, Block("\n".join(outside), 1)]


def _directives(text: str) -> list[Block]:
    """The code blocks of reStructuredText."""
    if "::" not in text:
        return []
    found = [
        Block(match[3], text.count("\n", 0, match.start(3)) + 1, match[2].lower(), fenced=True)
        for match in islice(_DIRECTIVE.finditer(text), 200)
    ]
    return [*found, Block(_DIRECTIVE.sub("", text), 1)] if found else []


def _closes(fence: re.Match[str], opening: re.Match[str]) -> bool:
    return fence[1][0] == opening[1][0] and len(fence[1]) >= len(opening[1]) and not fence[2]


def excerpt(text: str, size: int = 120) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: 4 * size].split())
    return line if len(line) <= size else line[: size - 1] + "…"
