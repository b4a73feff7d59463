"""What ``kubectl describe`` prints of a pod or a workload, as the containers of its manifest.

Blocks go by their indentation: under ``Containers:`` one block for each container, in it ``Image:``, and lists of a line an
item under ``Command:``, ``Args:``, ``Limits:`` and ``Environment:``.
"""

import re
from typing import Any

from ..lazy import Lazy

__all__ = ["looks_like_described", "manifest_of"]

_LOOKS = Lazy(r"^[ \t]*(?:Args|Command|Environment):[ \t]*$", re.M)
_ALSO = Lazy(r"^[ \t]*(?:Containers|Container ID|Image ID|Host Port|Image|Limits|Port|State|Mounts):(?:[ \t]|$)", re.M)
_FIELD = Lazy(r"([A-Z][A-Za-z -]{1,30}):(?:[ \t]+(\S.*))?$")
_VARIABLE = Lazy(r"([A-Za-z_]\w*):[ \t]*(.*)$")
_ELSEWHERE = ("<set to", "<none>")
_SELECTOR = Lazy(r"[ \t]*(?:Node-Selectors:)?[ \t]*([\w./-]+/[\w.-]+)[=:][ \t]*([\w.-]+)[ \t]*$")
_MOST_LINES = 4_000


def looks_like_described(text: str) -> bool:
    """True for the description of a pod rather than its manifest: fields in title case, one a list of bare lines."""
    told = "Args:" in text or "Command:" in text or "Environment:" in text
    return told and _LOOKS.search(text) is not None and len(set(_ALSO.findall(text, 0, 100_000))) >= 2


def manifest_of(text: str) -> dict[str, Any]:
    """The containers and node selectors of a description, as a manifest holds them."""
    containers: list[dict[str, Any]] = []
    selectors: dict[str, str] = {}
    open_: tuple[str, int] | None = None  # the list being read, and how deep its field stands
    name = ""
    for line in text.split("\n")[:_MOST_LINES]:
        content = line.strip()
        depth = len(line) - len(line.lstrip())
        if not content:
            continue
        if "gpu" in content and (match := _SELECTOR.fullmatch(line)) and "Node-Selectors:" in text:
            selectors[match[1]] = match[2]
        if open_ is not None and depth > open_[1]:
            _item(containers[-1], open_[0], content)
            continue
        open_ = None
        match = _FIELD.fullmatch(content)
        if match is None:
            name = content.rstrip(":") if content.endswith(":") else name
            continue
        key, value = match[1], match[2]
        if key in ("Container ID", "Image") and (not containers or "image" in containers[-1] or key == "Container ID"):
            containers.append({"name": name} if name else {})
        if not containers and key in ("Args", "Command", "Environment"):
            containers.append({})
        if key == "Image":
            containers[-1]["image"] = value or ""
        elif key in ("Args", "Command", "Environment", "Limits") and value is None:
            open_ = (key, depth)
    return {"kind": "Pod", "spec": {"containers": [_whole(container) for container in containers], "nodeSelector": selectors}}


def _item(container: dict[str, Any], field: str, content: str) -> None:
    if field in ("Args", "Command"):
        container.setdefault(field.lower(), []).append(content)
    elif match := _VARIABLE.match(content):
        if field == "Environment" and not match[2].startswith(_ELSEWHERE):
            container.setdefault("env", []).append({"name": match[1], "value": match[2]})
    elif field == "Limits" and ":" in content:
        key, _, value = content.partition(":")
        container.setdefault("resources", {"limits": {}})["limits"][key.strip()] = value.strip()


def _whole(container: dict[str, Any]) -> dict[str, Any]:
    """A script keeps its line breaks: ``sh -c`` takes one word, which the description prints as several lines."""
    for key in ("command", "args"):
        words = container.get(key)
        at = next((i for i, word in enumerate(words or []) if word in ("-c", "-lc", "-ec", "-xc")), None)
        if words and at is not None and len(words) > at + 2:
            container[key] = [*words[: at + 1], "\n".join(words[at + 1 :])]
    entry = container.get("command") or []
    if entry and entry[-1] in ("-c", "-lc", "-ec", "-xc") and len(container.get("args") or []) > 1:
        container["args"] = ["\n".join(container["args"])]
    return container
