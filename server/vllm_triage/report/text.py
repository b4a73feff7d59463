"""Compact text from plain JSON data: short lines, nothing empty, no indented dump.

The words are the data's own; this module only lays them out. A float is shown with four significant digits, a value
with its origin as ``value (origin: why)``.
"""

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from ..domain import Json

__all__ = ["bullets", "plain", "row", "section", "sourced", "value"]


def value(item: Json) -> str:
    """One JSON value on one line."""
    if item is None:
        return "unknown"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, int):
        return f"{item:,}" if abs(item) >= 100_000 else str(item)
    if isinstance(item, float):
        return f"{item:.4g}" if abs(item) < 10_000 else f"{item:,.0f}"
    if isinstance(item, str):
        return " ".join(item.split())
    if isinstance(item, Mapping):
        return sourced(item) if "value" in item and "origin" in item else row(item)
    return ", ".join(value(part) for part in item)


def sourced(item: Mapping[str, Json]) -> str:
    """``value (origin: why)``."""
    why = f": {value(item['why'])}" if item.get("why") else ""
    unset = item["value"] is None and item["origin"] in ("default", "given")
    return f"{'not set' if unset else value(item['value'])} ({item['origin']}{why})"


def row(item: Mapping[str, Json], lead: Iterable[str] = ()) -> str:
    """An object on one line: the values of `lead` bare, the rest as ``name: value``; empty ones are left out."""
    first = [name for name in lead if not empty(item.get(name))]
    head = " ".join(value(item[name]) for name in first)
    rest = [f"{name}: {value(part)}" for name, part in item.items() if name not in first and not empty(part)]
    return "; ".join([*([head] if head else []), *rest])


def bullets(items: Iterable[Json], lead: Iterable[str] = ()) -> list[str]:
    """One line per item."""
    lead = tuple(lead)
    return [f"- {row(item, lead) if _is_row(item) else value(item)}" for item in items]


def section(title: str, lines: Iterable[str]) -> list[str]:
    """A titled block, or nothing when it has no lines."""
    found = list(lines)
    return [f"{title}:", *found] if found else []


def plain(data: Mapping[str, Json], skip: Iterable[str] = ()) -> str:
    """Any answer: the summary, then each field on a line of its own or as a titled list."""
    left_out = {"summary", *skip}
    lines = [str(data["summary"])] if "summary" in data and "summary" not in skip else []
    for name, item in data.items():
        if name in left_out or empty(item):
            continue
        if isinstance(item, list) and (any(map(_is_row, item)) or _long(item)):
            lines += section(name, bullets(item))
        elif _is_row(item) and (_long(item.values()) or any(isinstance(part, Mapping) for part in item.values())):
            lines += section(name, (f"- {key}: {value(part)}" for key, part in item.items() if not empty(part)))
        else:
            lines.append(f"{name}: {value(item)}")
    return "\n".join(lines)


def empty(item: Json) -> bool:
    """True for what is not worth a word: None, an empty text, list or object."""
    return item is None or item in ("", [], {})


def _is_row(item: Json) -> TypeGuard[Mapping[str, Json]]:
    return isinstance(item, Mapping) and "origin" not in item


def _long(items: Iterable[Json]) -> bool:
    return sum(len(item) for item in items if isinstance(item, str)) > 80
