"""Windows: ``cmd`` batch files (``^``, ``%NAME%``, ``set``) and PowerShell (backtick, ``$env:NAME``)."""

import re
from collections.abc import Iterator

from ..lazy import Lazy
from .draft import Reading
from .shell import Walk
from .shell_variables import Scope
from .shell_words import Command

__all__ = ["looks_like_windows", "read_windows"]

_CARET = Lazy(r"\^[ \t]*$", re.M)
_TICK = Lazy(r"(?<=\s)`[ \t]*\n[ \t]*-")
_BATCH = Lazy(r"^\s*(?:@echo off|setlocal|rem )|^\s*set \"?\w+=|^[^'\n]*%[A-Za-z_]\w{2,}%", re.M | re.I)
_POWERSHELL = Lazy(r"\$env:\w+|^\s*ps [a-z]:\\|^\s*\$\w+\s*=\s*[\"']", re.M)
"""Of a lowered text: a pattern that minds no case looks at every letter."""
_QUOTED = Lazy(r"=\s*[\"']")
_SET = Lazy(r"\s*set\s+\"?([A-Za-z_]\w*)=([^\"\n]*)\"?\s*$", re.I)
_ASSIGN = Lazy(r"\s*\$(env:)?([A-Za-z_]\w*)\s*=\s*(?:\"([^\"\n]*)\"|'([^'\n]*)'|(\S+))\s*$", re.I)
_PROMPT = Lazy(r"^\s*(?:PS )?[A-Z]:\\[^>\n]*>\s*")
_VARIABLE = Lazy(r"%([A-Za-z_]\w*)(?::[^%\n]*)?%|!([A-Za-z_]\w*)!")
_PS_VARIABLE = Lazy(r"\$(?:env:)?\{?([A-Za-z_]\w*)\}?", re.I)
_MOST_WORDS = 2_000
_RUN = Lazy(r"[^\s\"'\\]+")
_COMMENT = Lazy(r"\s*(?:rem\b|::|@echo off|@rem\b)", re.I)


def looks_like_windows(text: str) -> bool:
    """True for a batch file or PowerShell."""
    if ("^" in text and _CARET.search(text)) or ("`" in text and _TICK.search(text)):
        return True
    lowered = text.lower()
    batch = any(mark in lowered for mark in ("%", "set ", "setlocal", "rem ", "@echo")) and _BATCH.search(text)
    return bool(batch) or _is_powershell(lowered)


def _is_powershell(lowered: str) -> bool:
    told = "$env:" in lowered or "ps " in lowered or ("$" in lowered and "=" in lowered and _QUOTED.search(lowered))
    return bool(told) and _POWERSHELL.search(lowered) is not None


def read_windows(text: str, reading: Reading, line: int = 1) -> bool:
    """Read every server start of a batch file or a PowerShell script; False when there is none."""
    before = len(reading.drafts)
    powershell = _TICK.search(text) is not None or (_is_powershell(text.lower()) and not _CARET.search(text))
    scope = Scope()
    walk = Walk(text, reading, scope, "powershell" if powershell else "cmd", line=line)
    walk.run(_commands(text, scope, powershell))
    return len(reading.drafts) > before


def _commands(text: str, scope: Scope, powershell: bool) -> Iterator[Command]:
    for start, typed in _logical_lines(text, powershell):
        content = _PROMPT.sub("", typed)
        if _COMMENT.match(content) or (powershell and content.lstrip().startswith("#")):
            continue
        assigned = _ASSIGN.match(content) if powershell else _SET.match(content)
        if assigned and powershell:
            name, value = assigned[2], next((part for part in assigned.groups()[2:] if part is not None), "")
            scope.values[name] = value
            if assigned[1]:
                scope.exported.add(name)
            continue
        if assigned:
            scope.values[assigned[1]] = assigned[2].strip()
            scope.exported.add(assigned[1])  # what `set` sets, programs started later see
            continue
        for part in re.split(r"\s&{1,2}\s" if not powershell else r";\s", content):
            command = Command(start)
            command.words = _words(part, scope, command, powershell)
            yield command


def _logical_lines(text: str, powershell: bool) -> Iterator[tuple[int, str]]:
    """Lines with their continuations joined, each with its position."""
    mark = "`" if powershell else "^"
    pending: list[str] = []
    start = pos = 0
    for line in text.split("\n"):
        start = start if pending else pos
        stripped = line.rstrip()
        if stripped.endswith(mark):
            pending.append(stripped[:-1])
        else:
            yield start, " ".join([*pending, line])
            pending = []
        pos += len(line) + 1
    if pending:
        yield start, " ".join(pending)


def _words(line: str, scope: Scope, command: Command, powershell: bool) -> list[str]:
    """Words split at blanks outside quotes. Only PowerShell knows single quotes; a backslash is a letter of a path."""
    words: list[str] = []
    current: list[str] = []
    started = False
    quote = ""
    literal = False
    index = 0
    while index < len(line) and len(words) < _MOST_WORDS:
        char = line[index]
        if quote:
            if char == quote:
                quote = ""
            elif char == "\\" and line[index + 1 : index + 2] == '"' and quote == '"':
                current.append('"')
                index += 1
            else:
                current.append(char)
        elif char == '"' or (powershell and char == "'"):
            quote, started = char, True
            literal = literal or char == "'"
        elif char == "\\" and line[index + 1 : index + 2] == '"':
            current.append('"')
            index += 1
        elif char.isspace():
            if current or started:
                words.append(_expanded("".join(current), scope, command, powershell and not literal, not powershell))
            current, started, literal = [], False, False
        else:
            run = _RUN.match(line, index)
            current.append(run[0] if run else char)
            index += len(current[-1]) - 1
        index += 1
    if current or started:
        words.append(_expanded("".join(current), scope, command, powershell and not literal, not powershell))
    if index < len(line):
        command.said.unread.append(f"what stands behind {_MOST_WORDS:,} words of one line is not read")
    elif quote:
        command.said.unread.append(f"a {quote} that is never closed")
    return words


def _expanded(word: str, scope: Scope, command: Command, powershell: bool, batch: bool) -> str:
    def value(match: re.Match[str]) -> str:
        name = next(part for part in match.groups() if part)
        if name in scope.values:
            return scope.values[name]
        command.said.unset.append(name)
        return match[0]

    if batch and ("%" in word or "!" in word):
        return _VARIABLE.sub(value, word)
    if powershell and "$" in word:
        return _PS_VARIABLE.sub(value, word)
    return word
