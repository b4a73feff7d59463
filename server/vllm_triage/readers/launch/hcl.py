"""Terraform and Nomad: the containers of an HCL text, as the mappings a manifest would hold."""

import json
import re
from typing import Any

from ..lazy import Lazy

__all__ = ["containers_of", "looks_like_hcl"]

_BLOCK = Lazy(r"^\s*(?:resource|module|job|task|locals|data|container|config)\b(?:[ \t]+\"[^\"\n]*\")*[ \t]*=?[ \t]*\{", re.M)
_FIELD = Lazy(r"\b(image|command|args|entrypoint|entryPoint)\"?[ \t]*[=:][ \t]*(\[|\"(?:[^\"\\\n]|\\.)*\")")
_WORD = Lazy(r"\"(?:[^\"\\\n]|\\.)*\"|([A-Za-z_][\w.]*)(?=[ \t]*[,\]\n])|\]")
_DEFAULT = Lazy(r"\bvariable[ \t]+\"([\w-]+)\"[ \t]*\{[^{}]*?\bdefault[ \t]*=[ \t]*(\"(?:[^\"\\\n]|\\.)*\"|[\d.]+|true|false)")
_LOCAL = Lazy(r"^[ \t]*([A-Za-z_][\w-]*)[ \t]*=[ \t]*(\"(?:[^\"\\\n$]|\\.)*\"|[\d.]+)[ \t]*$", re.M)
_USE = Lazy(r"\$\{(?:(var|local)\.([\w-]+))\}")
_ENV = Lazy(r"\benv(?:ironment)?[ \t]*=?[ \t]*\{([^{}]{0,8000})\}")
_ASSIGNED = Lazy(r"^[ \t]*\"?([A-Za-z_]\w*)\"?[ \t]*=[ \t]*\"((?:[^\"\\\n]|\\.)*)\"[ \t]*,?[ \t]*$", re.M)
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
    values = _values(text)
    env = _environment(text)
    for container in found:
        if env:
            container["env"] = env
        for name, value in container.items():
            container[name] = _filled(value, values)
        if compose and "command" in container and "args" not in container:
            container.setdefault("entrypoint", [])
    return found


def _values(text: str) -> dict[str, str]:
    """Defaults of the variables and the locals that the text itself sets, by how they are used (``var.model``)."""
    values = {f"var.{name}": _unquoted(value) for name, value in _DEFAULT.pairs(text)}
    if "locals" in text:
        values |= {f"local.{name}": _unquoted(value) for name, value in _LOCAL.pairs(text)}
    return values


def _filled(value: Any, values: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    if not isinstance(value, str) or "${" not in value:
        return value
    return _USE.sub(lambda match: values.get(f"{match[1]}.{match[2]}", match[0]), value)


def _environment(text: str) -> list[dict[str, str]]:
    """The variables of every ``env`` block: one of a name and a value each, or a block of assignments."""
    found: list[dict[str, str]] = []
    for match in _ENV.finditer(text):
        pairs = dict(_ASSIGNED.pairs(match[1]))
        if pairs.keys() == {"name", "value"}:
            found.append(pairs)
        else:
            found += [{"name": name, "value": value} for name, value in pairs.items() if name.isupper() or "_" in name]
    return found[:200]


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
