"""YAML's structure without its types: strings, lists and mappings, built from the parser's events.

PyYAML's own base loader gives the same trees. It asks its resolver about every scalar, to no end where all are strings,
and takes twice the time.
"""

from typing import Any

__all__ = ["MAX_EVENTS", "TOO_DEEP", "load"]

MAX_EVENTS = 6_000
"""Keys, values and brackets read of one text. A manifest of a thousand lines has half of that."""
TOO_DEEP = "YAML nested too deeply is not read"
_DEEPEST = 60
_NO_KEY: Any = object()


def load(text: str, most: int) -> tuple[list[Any], str | None, str | None]:
    """The first `most` documents; what made them unreadable; what was left out of a text that is read.

    An alias is the very object its anchor names, so no document can grow. A text of too many events ends there: the
    lists and mappings that are open at that point stay as they are.
    """
    import yaml  # noqa: PLC0415 - loaded only where YAML is pasted

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)(text)
    try:
        found, whole = _documents(loader.get_event, most)
    except yaml.YAMLError as error:
        return [], " ".join(str(getattr(error, "problem", None) or error).split())[:120], None
    except (RecursionError, ValueError) as error:
        return [], str(error)[:120] or type(error).__name__, None
    finally:
        loader.dispose()
    return found, None, None if whole else f"YAML is read up to {MAX_EVENTS:,} keys and values: what follows is not"


def _documents(next_event: Any, most: int) -> tuple[list[Any], bool]:
    from yaml import (  # noqa: PLC0415
        AliasEvent,
        DocumentStartEvent,
        MappingStartEvent,
        ScalarEvent,
        SequenceStartEvent,
        StreamEndEvent,
    )

    found: list[Any] = []  # every document's root is put into this list as an item of any list is
    anchors: dict[str, Any] = {}
    node: Any = found
    key: Any = _NO_KEY
    above: list[tuple[Any, Any]] = []
    for _ in range(MAX_EVENTS):
        event = next_event()
        kind = type(event)
        if kind is ScalarEvent:
            value = event.value
            if event.anchor is not None:
                anchors[event.anchor] = value
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            opened: Any = {} if kind is MappingStartEvent else []
            if event.anchor is not None:
                anchors[event.anchor] = opened
            value = opened
        elif kind is AliasEvent:
            value = _meant(event.anchor, anchors, (*above, (node, key)))
        elif kind is DocumentStartEvent:
            anchors = {}
            if len(found) >= most:
                return found, False
            continue
        elif kind is StreamEndEvent:
            return found, True
        else:  # the end of a mapping, a list or a document
            if above and kind.__name__[:3] in ("Map", "Seq"):
                node, key = above.pop()
            continue
        if type(node) is list:
            node.append(value)
        elif key is _NO_KEY:
            if not isinstance(value, str):
                raise ValueError("a mapping or a list stands where a key should")
            key = value
        else:
            node[key] = value
            key = _NO_KEY
        if kind is not ScalarEvent and kind is not AliasEvent:
            above.append((node, key))
            if len(above) > _DEEPEST:
                raise ValueError(TOO_DEEP)
            node, key = value, _NO_KEY
    return found, False


def _meant(anchor: str, anchors: dict[str, Any], opened: tuple[tuple[Any, Any], ...]) -> Any:
    if anchor not in anchors:
        raise ValueError(f"the anchor {anchor[:40]} is not in this paste")
    value = anchors[anchor]
    if any(node is value for node, _ in opened):
        raise ValueError(f"the alias {anchor[:40]} stands inside its own anchor")
    return value
