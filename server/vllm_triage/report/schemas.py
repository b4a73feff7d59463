"""JSON schemas of the tools, as small as they can be and still say everything a caller needs.

Every tool's name, description and input schema is sent with every request of every user, so titles, nulls and
defaults that say nothing are dropped. Output schemas name the top-level fields only: the answer is described by its
own content, and few clients pass them on.

A server publishes what ``schemas.json`` holds, so that it can list its tools without importing any of them;
``tools/build_schemas.py`` writes the file from the models.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

if TYPE_CHECKING:
    from .answer import ToolAnswer
    from .arguments import ToolArguments

__all__ = ["PUBLISHED", "input_schema", "output_schema", "published"]

PUBLISHED = Path(__file__).parent / "schemas.json"


@cache
def published() -> dict[str, dict[str, dict[str, Any]]]:
    """Tool name -> its ``input`` and ``output`` schema."""
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return found


def input_schema(model: "type[ToolArguments]") -> dict[str, Any]:
    """The arguments as a flat object, closed to unknown names."""
    raw = model.model_json_schema(by_alias=True)
    definitions = raw.get("$defs", {})
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _lean(field, definitions) for name, field in raw.get("properties", {}).items()},
        "additionalProperties": False,
    }
    if raw.get("required"):
        schema["required"] = raw["required"]
    return schema


_NOISE = ("title", "default", "minimum", "maximum", "minLength", "maxLength", "maxItems", "additionalProperties")
"""What a caller does not need: limits far beyond honest use are errors in words when they are met."""


def _lean(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in field:
        target = definitions[str(field["$ref"]).rsplit("/", 1)[-1]]
        field = {**target, **{key: part for key, part in field.items() if key != "$ref"}}
    if "anyOf" in field:
        arms = [arm for arm in field["anyOf"] if arm.get("type") != "null"]
        rest = {key: part for key, part in field.items() if key != "anyOf"}
        if len(arms) == 1:
            return _lean({**arms[0], **rest}, definitions)
        field = {"anyOf": [_lean(arm, definitions) for arm in arms], **rest}
    lean = {key: part for key, part in field.items() if key not in _NOISE}
    if "items" in lean:
        lean["items"] = _lean(lean["items"], definitions)
    if "properties" in lean:
        lean["properties"] = {name: _lean(part, definitions) for name, part in lean["properties"].items()}
    return lean


def output_schema(model: "type[ToolAnswer]") -> dict[str, Any]:
    """The top-level fields and which of them are always there."""
    fields = model.model_fields
    return {
        "type": "object",
        "properties": {field.alias or name: _kind(field.annotation) for name, field in fields.items()},
        "required": [field.alias or name for name, field in fields.items() if field.exclude_if is None],
    }


_KINDS: dict[Any, str] = {
    str: "string", bool: "boolean", int: "integer", float: "number", tuple: "array", list: "array", dict: "object",
}


def _kind(annotation: Any) -> dict[str, Any]:
    """``{"type": ...}`` of a field: the outermost type only."""
    kinds = sorted(_names(annotation))
    return {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}


def _names(annotation: Any) -> set[str]:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _names(get_args(annotation)[0])
    if origin in (Union, UnionType):
        arms = [_names(arm) for arm in get_args(annotation)]
        return set().union(*arms) if all(arms) else set()
    if origin is Literal:
        return {_KINDS[type(choice)] for choice in get_args(annotation)}
    if annotation is NoneType:
        return {"null"}
    if isinstance(origin or annotation, type):
        return {_KINDS.get(origin or annotation, "object")}
    return set()  # Json: anything
