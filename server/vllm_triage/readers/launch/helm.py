"""Values given on Helm's command line: ``--set a.b[0].c=v``, ``--set-string``, ``--set-json``, ``args={--model,m}``.

The grammar is Helm's own (``strvals``): keys divided by dots, indexes in brackets, several settings divided by commas, lists
in braces, a backslash before what is meant as a letter.
"""

import json
from collections.abc import Sequence
from typing import Any

from .program import program_name

__all__ = ["values_of"]

_VERBS = ("install", "upgrade", "template")
_OPTIONS = ("--set", "--set-string", "--set-literal", "--set-json")
_MOST_INDEX = 20
_DEEPEST = 12
_MOST = 500
_LONGEST = 20_000


def values_of(words: Sequence[str]) -> dict[str, Any] | None:
    """The tree of values that a ``helm install`` or ``helm upgrade`` sets; None for any other command."""
    if not any(verb in words for verb in _VERBS):
        return None
    at = next((i for i, word in enumerate(words[:6]) if program_name(word) == "helm"), None)
    if at is None or not any(word in _VERBS for word in words[at + 1 : at + 4]):
        return None
    values: dict[str, Any] = {}
    left = _MOST
    for index, word in enumerate(words):
        if left <= 0:
            break
        option, equals, given = word.partition("=")
        if option not in _OPTIONS:
            continue
        given = given if equals else words[index + 1] if index + 1 < len(words) else ""
        for key, value in _settings(given[:_LONGEST], whole=option in ("--set-json", "--set-literal"))[:left]:
            left -= 1
            _put(values, _path(key), _json(value) if option == "--set-json" else value)
    return _with_images(values)


def _settings(text: str, *, whole: bool) -> list[tuple[str, Any]]:
    """``a=1,b={x,y}`` as its settings."""
    if whole:
        key, _, value = text.partition("=")
        return [(key, value)]
    return [(key, _listed(value)) for key, equals, value in (part.partition("=") for part in _cut(text)) if equals]


def _cut(text: str) -> list[str]:
    """Divided at commas that stand outside braces and behind no backslash. The backslash before a dot of a key stays."""
    parts, part, depth, pos = [], "", 0, 0
    while pos < len(text):
        char = text[pos]
        if char == "\\" and pos + 1 < len(text):
            part += text[pos : pos + 2] if depth or text[pos + 1] == "." else text[pos + 1]
            pos += 2
            continue
        depth += (char == "{") - (char == "}")
        if char == "," and depth <= 0:
            parts.append(part)
            part = ""
        else:
            part += char
        pos += 1
    return [*parts, part]


def _listed(value: str) -> Any:
    """``{a,b}`` is a list; anything else a text. A JSON object that stands there unquoted is neither."""
    if not (value.startswith("{") and value.endswith("}")):
        return value.replace("\\.", ".")
    inner = value[1:-1]
    return [part.replace("\\.", ".") for part in _cut(inner)] if inner else []


def _path(key: str) -> list[str | int]:
    path: list[str | int] = []
    for part in key.replace("\\.", "\0").split("."):
        name, *indexes = part.replace("\0", ".").split("[")
        path += [name] if name else []
        path += [int(index[:-1]) for index in indexes if index[:-1].isdigit() and int(index[:-1]) < _MOST_INDEX]
    return path


def _put(tree: dict[str, Any], path: list[str | int], value: Any) -> None:
    node: Any = tree
    if len(path) > _DEEPEST:
        return
    for here, following in zip(path, [*path[1:], None], strict=True):
        fresh: Any = value if following is None else [] if isinstance(following, int) else {}
        if isinstance(here, int):
            if not isinstance(node, list):
                return
            node += [{} for _ in range(here + 1 - len(node))]
            if following is None or not node[here]:
                node[here] = fresh
        else:
            if not isinstance(node, dict):
                return
            if following is None or not isinstance(node.get(here), dict | list):
                node[here] = fresh
        node = node[here]


def _json(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _with_images(node: dict[str, Any]) -> dict[str, Any]:
    """``image.repository`` and ``image.tag`` as the image they name, and arguments under the names charts give them."""
    image = node.get("image")
    if isinstance(image, dict) and isinstance(image.get("repository"), str):
        node["image"] = ":".join(filter(None, (image["repository"], image.get("tag") or "")))
    elif isinstance(image, dict) and image.keys() <= {"tag", "pullPolicy"}:
        del node["image"]
    for name in ("extraArgs", "extra_args", "vllmArgs"):
        if "args" not in node and isinstance(node.get(name), list):
            node["args"] = node[name]
    for key, value in node.items():
        if isinstance(value, dict) and key != "image":
            _with_images(value)
    return node
