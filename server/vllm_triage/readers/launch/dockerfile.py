"""Dockerfiles: the server that ``ENTRYPOINT`` and ``CMD`` start, on the image that ``FROM`` names."""

import json
import re

from ..lazy import Lazy
from .containers import image_entrypoint, image_version
from .draft import Draft, Reading
from .program import find_flags, find_server
from .shell import read_shell
from .shell_variables import Scope
from .shell_words import ShellLexer

__all__ = ["looks_like_dockerfile", "read_dockerfile"]

_LOOKS = Lazy(r"^FROM[ \t]+\S[^\0]*^[ \t]*(?:CMD|ENTRYPOINT)\s|^[ \t]*(?:CMD|ENTRYPOINT)[ \t]+\[", re.M)
_LINE = Lazy(r"\s*(FROM|ENV|ARG|ENTRYPOINT|CMD)\s+(.*)", re.S)


def looks_like_dockerfile(text: str) -> bool:
    """True when the text begins an image and says what it runs."""
    return ("CMD" in text or "ENTRYPOINT" in text) and _LOOKS.search(text) is not None


def read_dockerfile(text: str, reading: Reading, line: int = 1) -> bool:
    """Read what the image starts; False when it starts no vLLM server."""
    scope = Scope()
    image = shell = entry = command = ""
    where = line
    for number, name, value in _instructions(text):
        if name == "FROM":
            image, entry, command, shell = _expanded(value.split()[0], scope), "", "", ""
        elif name in ("ENV", "ARG"):
            _assign(name, value, scope)
        elif value.lstrip().startswith("["):
            where = line + number
            entry, command = (value, "") if name == "ENTRYPOINT" else (entry, value)
        else:
            shell, where = value, line + number
    before = len(reading.drafts)
    if shell:
        read_shell(shell, reading, "dockerfile", scope, line=where, where="CMD")
    else:
        _start(_exec_form(entry), _exec_form(command), image, reading, where)
    for draft in reading.drafts[before:]:
        draft.env = {**{key: scope.values[key] for key in sorted(scope.exported)}, **draft.env}
        draft.version = draft.version or image_version(image)
    return len(reading.drafts) > before


def _start(entry: list[str], command: list[str], image: str, reading: Reading, line: int) -> None:
    words = [*entry, *command]
    if found := find_server(words):
        reading.add(Draft("dockerfile", found.entrypoint, found.arguments, line=line))
    elif not entry and command and (known := image_entrypoint(image, command)):
        reading.add(Draft("dockerfile", known, command, line=line))
    elif found := find_flags(command):
        reading.add(Draft("dockerfile", "serve", found.arguments, line=line))
    elif len(words) >= 3 and words[1] in ("-c", "-lc"):
        read_shell(words[2], reading, "dockerfile", line=line, where="CMD")


def _instructions(text: str) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    pending: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n")):
        if line.lstrip().startswith("#"):
            continue
        start = start if pending else number
        if line.rstrip().endswith("\\"):
            pending.append(line.rstrip()[:-1])
            continue
        if match := _LINE.match(" ".join([*pending, line])):
            found.append((start, match[1], match[2].strip()))
        pending = []
    return found


def _exec_form(value: str) -> list[str]:
    try:
        words = json.loads(value)
    except (ValueError, RecursionError):
        return []
    return [word for word in words if isinstance(word, str)] if isinstance(words, list) else []


def _assign(name: str, value: str, scope: Scope) -> None:
    if "=" not in value.split(" ", maxsplit=1)[0]:
        key, _, given = value.partition(" ")
        value = f'{key}="{given.strip()}"' if given else ""
    command = ShellLexer(value, scope).command()
    for key, given in (command.assigned if command else {}).items():
        scope.values[key] = given
        if name == "ENV":
            scope.exported.add(key)


def _expanded(word: str, scope: Scope) -> str:
    return re.sub(r"\$\{?(\w+)(?::-([^}]*))?\}?", lambda m: scope.values.get(m[1], m[2] or m[0]), word)
