"""NixOS: services of systemd (``serviceConfig.ExecStart``, ``script``) and containers (``virtualisation.oci-containers``).

A language, of which only literals are read: texts in ``"..."`` and ``''...''``, lists of them, sets of texts. ``${pkgs.vllm}`` and
whatever else would have to be evaluated stays as it is.
"""

import re
from itertools import islice
from typing import Any

from ..lazy import Lazy

__all__ = ["looks_like_nix", "nix_containers", "nix_scripts"]

_LOOKS = Lazy(r"\b(?:ExecStart|script|cmd|image)[ \t\n]*=[ \t\n]*(?:toString[ \t\n]*)?(?:''|\"|\[|\(|lib\.)")
_TEXT = r"''(?P<long>(?:[^']|'(?!'))*)''|\"(?P<short>(?:[^\"\\]|\\.)*)\""
_SCRIPT = Lazy(r"\b(?:ExecStart|script)[ \t\n]*=[ \t\n]*")
_JOINED = Lazy(r"(?:lib\.)?(?:\w+\.)?(?:concatStringsSep|escapeShellArgs)\b|\[")
_ANY_TEXT = Lazy(_TEXT, re.S)
_IMAGE = Lazy(r"\bimage[ \t]*=[ \t]*\"([^\"\n]+)\"")
_WORDS = Lazy(r"\b(cmd|entrypoint)[ \t\n]*=[ \t\n]*(\[[^\]]{0,20000}\]|\"[^\"\n]*\")")
_MOST = 32
"""Services and containers read of one text."""
_MOST_WORDS = 200
_LONGEST = 8_000
_SET = Lazy(r"\b(?:environment|environmentVariables)[ \t\n]*=[ \t\n]*\{([^}]{0,8000})\}")
_MEMBER = Lazy(r"([A-Za-z_]\w*)[ \t]*=[ \t]*\"((?:[^\"\\\n]|\\.)*)\"")


def looks_like_nix(text: str) -> bool:
    """True for a module of NixOS or a piece of one that starts something."""
    told = "systemd.services" in text or "serviceConfig" in text or "oci-containers" in text or "pkgs" in text
    return told and "=" in text and _LOOKS.search(text) is not None


def environment(text: str) -> dict[str, str]:
    """The variables that the text sets for a service or a container."""
    return {name: value for match in islice(_SET.finditer(text), _MOST) for name, value in _MEMBER.findall(match[1])}


def nix_scripts(text: str) -> list[tuple[int, str, dict[str, str]]]:
    """What each service runs: where it stands, as a text for a shell, with the variables around it."""
    found = []
    env = environment(text)
    for match in islice(_SCRIPT.finditer(text), _MOST):
        at = match.end()
        if literal := _ANY_TEXT.match(text, at, at + _LONGEST):
            content = _literal(literal)
        elif _JOINED.match(text, at):
            end = text.find(";", at, at + _LONGEST)
            parts = [_literal(part) for part in islice(_ANY_TEXT.finditer(text, at, max(at, end)), _MOST_WORDS)]
            content = " ".join(part for part in parts if part.strip() not in ("", "\\"))
        else:
            continue
        found.append((match.start(), content, env))
    return found


def nix_containers(text: str) -> list[dict[str, Any]]:
    """Each container's image and words, as compose names them."""
    images = list(islice(_IMAGE.finditer(text), _MOST))
    found = []
    for at, match in enumerate(images):
        # Its fields stand around the image, up to the next one.
        start = images[at - 1].end() if at else 0
        part = text[start : images[at + 1].start() if at + 1 < len(images) else start + _LONGEST]
        container: dict[str, Any] = {"image": match[1], "environment": environment(part)}
        for name, words in _WORDS.findall(part):
            container["command" if name == "cmd" else "entrypoint"] = [_literal(word) for word in _ANY_TEXT.finditer(words)]
        found.append(container)
    return found


def _literal(match: re.Match[str]) -> str:
    """A text as Nix reads it: ``''$`` and ``\\$`` are a dollar; what is evaluated stays."""
    if match["long"] is not None:
        return match["long"].replace("''$", "$").replace("'''", "''")
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), match["short"] or "", flags=re.S)
