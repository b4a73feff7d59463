"""NixOS: services of systemd (``serviceConfig.ExecStart``, ``script``), scripts (``writeShellScript``) and containers
(``virtualisation.oci-containers``).

A language, of which only literals are read: texts in ``"..."`` and ``''...''``, lists of them, sets of texts, and names the text
binds to a literal. What would have to be evaluated becomes the variable ``$name``, whose value the paste does not give.
"""

import re
from itertools import islice
from typing import Any

from ..lazy import Lazy

__all__ = ["looks_like_nix", "nix_containers", "nix_scripts"]

_LOOKS = Lazy(r"\b(?:ExecStart|script|cmd|image)[ \t\n]*=[ \t\n]*(?:toString[ \t\n]*)?(?:''|\"|\[|\(|lib\.)|\bwriteShell\w+[ \t\n]+\"")
_SCRIPT = Lazy(r"\b(?:ExecStart|script)[ \t\n]*=[ \t\n]*|\bwriteShell(?:Script|ScriptBin|Application)[ \t\n]+\"[^\"\n]*\"[ \t\n]+(?='')")
_JOINED = Lazy(r"(?:lib\.)?(?:\w+\.)?(?:concatStringsSep|escapeShellArgs)\b|\[")
_BOUND = Lazy(r"^[ \t]*([A-Za-z_][\w'-]*)[ \t]*=[ \t]*(?:\"([^\"\\\n$]*)\"|(-?\d+(?:\.\d+)?))[ \t]*;", re.M)
_TEXT_START = Lazy(r"''|\"")
_IMAGE = Lazy(r"\bimage[ \t]*=[ \t]*\"([^\"\n]+)\"")
_WORDS = Lazy(r"\b(cmd|entrypoint)[ \t\n]*=[ \t\n]*(\[[^\]]{0,20000}\]|\"[^\"\n]*\")")
_SET = Lazy(r"\b(?:environment|environmentVariables)[ \t\n]*=[ \t\n]*\{([^}]{0,8000})\}")
_LISTED = Lazy(r"\bEnvironment[ \t\n]*=[ \t\n]*(\[[^\]]{0,8000}\]|\"[^\"\n]*\")")
_PAIR = Lazy(r"\"([A-Za-z_]\w*)=([^\"\n]*)\"")
_MEMBER = Lazy(r"([A-Za-z_]\w*)[ \t]*=[ \t]*\"((?:[^\"\\\n]|\\.)*)\"")
_NAME = Lazy(r"(?:(?:builtins\.)?toString[ \t]+)?([A-Za-z_][\w.'-]*)")
_MOST = 32
"""Services and containers read of one text."""
_MOST_WORDS = 200
_LONGEST = 8_000
_DEEPEST = 8


def looks_like_nix(text: str) -> bool:
    """True for a module of NixOS or a piece of one that starts something."""
    told = "systemd.services" in text or "serviceConfig" in text or "oci-containers" in text or "pkgs" in text
    return told and "=" in text and _LOOKS.search(text) is not None


def nix_scripts(text: str) -> list[tuple[int, str, dict[str, str]]]:
    """What each service runs: where it stands, as a text for a shell, with the variables around it."""
    reader = _Reader(text)
    env = _environment(text)
    found = []
    for match in islice(_SCRIPT.finditer(text), _MOST):
        at = match.end()
        if _TEXT_START.match(text, at):
            content = reader.literal(at)[0]
        elif _JOINED.match(text, at):
            end = text.find(";", at, at + _LONGEST)
            content = " ".join(part for part in reader.literals(at, end) if part.strip() not in ("", "\\"))
        else:
            continue
        found.append((match.start(), content, env))
    return found


def nix_containers(text: str) -> list[dict[str, Any]]:
    """Each container's image and words, as compose names them."""
    reader = _Reader(text)
    images = list(islice(_IMAGE.finditer(text), _MOST))
    found = []
    for at, match in enumerate(images):
        # Its fields stand around the image, up to the next one.
        start = images[at - 1].end() if at else 0
        stop = images[at + 1].start() if at + 1 < len(images) else min(len(text), start + _LONGEST)
        container: dict[str, Any] = {"image": match[1], "environment": _environment(text[start:stop])}
        for words in _WORDS.finditer(text, start, stop):
            container["command" if words[1] == "cmd" else "entrypoint"] = reader.literals(words.start(2), words.end(2))
        found.append(container)
    return found


def _environment(text: str) -> dict[str, str]:
    """The variables that the text sets for a service or a container."""
    env = {name: value for match in islice(_SET.finditer(text), _MOST) for name, value in _MEMBER.findall(match[1])}
    for match in islice(_LISTED.finditer(text), _MOST):
        env |= dict(_PAIR.pairs(match[1]))
    return env


class _Reader:
    """Texts of one module, with the names it binds filled in."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.bound: dict[str, str] = {}
        for match in islice(_BOUND.finditer(text), 500):
            self.bound.setdefault(match[1], match[2] if match[2] is not None else match[3])

    def literals(self, pos: int, end: int) -> list[str]:
        """The texts of a list."""
        found: list[str] = []
        while len(found) < _MOST_WORDS and (match := _TEXT_START.search(self.text, pos, max(pos, end))):
            content, pos = self.literal(match.start())
            found.append(content)
        return found

    def literal(self, pos: int) -> tuple[str, int]:
        """The text that begins at `pos`, and the position behind it. A text without an end stops where one may."""
        text, limit = self.text, min(len(self.text), pos + _LONGEST)
        mark = "''" if text.startswith("''", pos) else '"'
        pos += len(mark)
        parts: list[str] = []
        while pos < limit:
            if text.startswith("${", pos):
                content, pos = self._hole(pos, limit)
                parts.append(content)
            elif mark == "''" and text.startswith(("''$", "'''"), pos):
                parts.append("$" if text[pos + 2] == "$" else "''")
                pos += 3
            elif text.startswith(mark, pos):
                return "".join(parts), pos + len(mark)
            elif mark == '"' and text[pos] == "\\":
                parts.append({"n": "\n", "t": "\t"}.get(text[pos + 1 : pos + 2], text[pos + 1 : pos + 2]))
                pos += 2
            else:
                parts.append(text[pos])
                pos += 1
        return "".join(parts), pos

    def _hole(self, pos: int, limit: int) -> tuple[str, int]:
        """``${...}``: the value of a name, or a variable in its place."""
        end = self._closing(pos + 2, limit)
        inside = self.text[pos + 2 : end].strip()
        match = _NAME.fullmatch(inside)
        if match and match[1] in self.bound:
            return self.bound[match[1]], end + 1
        if match and (match[1].startswith("pkgs") or self.text.startswith("/", end + 1)):
            return match[1].rpartition(".")[2], end + 1  # the folder of a package
        if inside.startswith(("lib.optional", "optional")):
            return "", end + 1  # what stands there on a condition is not taken to
        return "$" + (re.sub(r"\W+", "_", match[1] if match else inside[:40]).strip("_") or "value"), end + 1

    def _closing(self, pos: int, limit: int) -> int:
        """Where the brace closes, over texts and braces inside."""
        depth, quoted = 1, [False]
        while pos < limit:
            char = self.text[pos]
            if char == '"':
                quoted[-1] = not quoted[-1]
            elif self.text.startswith("${", pos) or (char == "{" and not quoted[-1]):
                depth += 1
                quoted.append(False)
                pos += char == "$"  # its brace is counted
                if depth > _DEEPEST:
                    break
            elif char == "}" and not quoted[-1]:
                depth -= 1
                quoted.pop()
                if not depth:
                    return pos
            pos += 1
        return pos
