"""Terraform and Nomad: the containers of an HCL text, as the mappings a manifest would hold."""

import json
import re
from typing import Any

from ..lazy import Lazy

__all__ = ["containers_of", "looks_like_hcl"]

_BLOCK = Lazy(r"^\s*(?:resource|module|job|task|locals|data|container|config)\b(?:[ \t]+\"[^\"\n]*\")*[ \t]*=?[ \t]*\{", re.M)
_FIELD = Lazy(r"\b(image|command|args|entrypoint|entryPoint)\"?[ \t]*[=:][ \t]*(\[|\"(?:[^\"\\\n]|\\.)*\")")
_WORD = Lazy(r"\"(?:[^\"\\\n]|\\.)*\"|([A-Za-z_][\w.]*)(?=[ \t]*[,\]\n])|\]")
_MAX_FIELDS = 400


def looks_like_hcl(text: str) -> bool:
    """True for Terraform or a Nomad job that says what a container runs."""
    return "{" in text and _BLOCK.search(text) is not None and _FIELD.search(text) is not None


def containers_of(text: str) -> list[dict[str, Any]]:
    """Each container's image and words. A field that comes a second time begins the next container.

    In a task definition of ECS and in Nomad ``command`` holds the arguments of the image's entrypoint, as in Compose; a
    pod of the Kubernetes provider has ``command`` and ``args`` as Kubernetes does.
    """
    compose = "container_definitions" in text or "containerDefinitions" in text or "driver" in text
    found: list[dict[str, Any]] = []
    for count, match in enumerate(_FIELD.finditer(text)):
        if count >= _MAX_FIELDS:
            break
        name = {"entryPoint": "entrypoint"}.get(match[1], match[1])
        value = _list(text, match.end()) if match[2] == "[" else _unquoted(match[2])
        if not found or name in found[-1]:
            found.append({})
        found[-1][name] = value
    for container in found:
        if compose and "command" in container and "args" not in container:
            container.setdefault("entrypoint", [])
    return found


def _list(text: str, pos: int) -> list[str]:
    """The words of a list; a reference stands as the variable it is."""
    words: list[str] = []
    for match in _WORD.finditer(text, pos, pos + 20_000):
        if match[0] == "]":
            break
        words.append("${" + match[1] + "}" if match[1] else _unquoted(match[0]))
    return words


def _unquoted(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text[1:-1]
    return value if isinstance(value, str) else text
