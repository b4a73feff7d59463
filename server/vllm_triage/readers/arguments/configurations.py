"""The JSON of a configuration option, checked as vLLM's configuration class checks it while parsing.

vLLM validates such JSON with pydantic; so does this, against the same fields, types and limits (``facts.flag_configs``). What
vLLM's own validators add is in ``config_checks``.
"""

import enum
from collections.abc import Callable
from functools import cache
from typing import Any, cast

from pydantic_core import CoreSchema, SchemaValidator, ValidationError
from pydantic_core import core_schema as s

from vllm_triage.domain.base import Json
from vllm_triage.facts.flag_configs import ConfigClass, Description, config_class, names
from vllm_triage.facts.versions import at_least

from .config_checks import check

__all__ = ["Unaccepted", "read_configuration"]


class Unaccepted(ValueError):
    """The configuration class refuses the JSON; the text says where and why."""


def read_configuration(text: str, name: str, version: str) -> Json:
    """The JSON `text` as the class `name` reads it: given keys only, numbers and booleans coerced. Raises ``Unaccepted``."""
    try:
        value: Json = _validator(name, version).validate_json(text)
    except ValidationError as error:
        raise Unaccepted(_explain(error, name, version)) from None
    return value


@cache
def _validator(name: str, version: str) -> SchemaValidator:
    return SchemaValidator(_Builder(version).schema(["cls", name]))


def _explain(error: ValidationError, name: str, version: str) -> str:
    """pydantic's findings in one line, unknown keys with the nearest known one."""
    parts: list[str] = []
    for found in error.errors()[:3]:
        where = ".".join(str(step) for step in found["loc"] if not isinstance(step, str) or "[" not in step)
        if found["type"] == "extra_forbidden":
            parts.append(f"{where} is not a field of {name}{_near(str(found['loc'][-1]), name, version)}")
        else:
            said = found["msg"].removeprefix("Value error, ")
            parts.append(f"{where}: {said}" if where else said)
    return "; ".join(parts)


def _near(key: str, name: str, version: str) -> str:
    cls = config_class(name, version)
    from difflib import get_close_matches  # noqa: PLC0415 (only on the way to an error)

    near = get_close_matches(key[:64], list(cls.fields), 1, 0.6) if cls is not None else []
    return f" (did you mean {near[0]}?)" if near else ""


class _Builder:
    """Descriptions -> pydantic core schemas, for one release."""

    def __init__(self, version: str) -> None:
        self.version = version

    def schema(self, description: Description) -> CoreSchema:
        if isinstance(description, str):
            make = _PLAIN.get(description)
            return s.any_schema() if make is None else make()
        assert isinstance(description, list)  # noqa: S101
        rest: list[Any] = description[1:]
        match description[0]:
            case "?":
                return s.nullable_schema(self.schema(rest[0]))
            case "lit":
                return s.literal_schema(rest[0])
            case "enum":
                return self._enum(rest[0])
            case "list":
                return s.list_schema(self.schema(rest[0]))
            case "tuple":
                items = [self.schema(item) for item in rest[0]]
                return s.tuple_schema(items, variadic_item_index=rest[1])
            case "dict":
                return s.dict_schema(self.schema(rest[0]), self.schema(rest[1]))
            case "union":
                return s.union_schema([self.schema(choice) for choice in rest[0]])
            case "limits":
                bounded: Any = {**self.schema(rest[0]), **rest[1]}
                return cast("CoreSchema", bounded)
            case "cls":
                return self._class(str(rest[0]))
            case "via":
                return self._via(str(rest[0]).rpartition(".")[2].rpartition(":")[2], rest[1])
        return s.any_schema()

    def _enum(self, members: Description) -> CoreSchema:
        assert isinstance(members, dict)  # noqa: S101
        known = enum.Enum("known", {name: _hashable(value) for name, value in members.items()})  # type: ignore[misc]
        integers = all(type(value) is int for value in members.values())
        inner = s.enum_schema(known, list(known), sub_type="int" if integers else None)
        return s.no_info_wrap_validator_function(_as_given, inner)

    def _class(self, name: str) -> CoreSchema:
        cls = config_class(name, self.version)
        if cls is None:
            return s.dict_schema()
        fields = {
            key: s.typed_dict_field(self.schema(found), required=key in cls.required) for key, found in cls.fields.items()
        }
        inner = s.typed_dict_schema(fields, extra_behavior="forbid" if cls.closed else "allow")
        return s.no_info_wrap_validator_function(_checked(cls), inner)

    def _via(self, function: str, inner: Description) -> CoreSchema:
        """vLLM's own validator of one field."""
        if function == "_skip_none_validation":
            return s.nullable_schema(self.schema(inner))
        if function in ("_normalize_moe_backend", "_normalize_linear_backend", "_normalize_sparse_indexer_topk_backend"):
            return s.no_info_before_validator_function(_lower, self.schema(inner))
        if function == "_to_list_str":
            return s.no_info_before_validator_function(_comma_list, self.schema(inner))
        if function == "validate_backend_per_kind_before" and isinstance(inner, list):
            return s.dict_schema(self.schema(inner[1]), self._named(inner[2], {}))
        members = _members(inner)
        if members is not None and function.endswith("_before"):
            auto = function == "validate_backend_before" and at_least(self.version, "0.18.0")
            return self._named(inner, {"AUTO": "auto"} if auto else {})
        if function == "_coerce_quant_key":
            return s.nullable_schema(s.literal_schema(list(names("quant_keys", self.version))))
        return self.schema(inner)


    def _named(self, description: Description, extra: dict[str, str]) -> CoreSchema:
        """An enumeration whose names are accepted in any case."""
        accept = {name: name for name in _members(description) or ()} | extra
        return s.no_info_wrap_validator_function(_by_name(accept), self.schema(description))


def _members(description: Description) -> dict[str, Description] | None:
    while isinstance(description, list) and description and description[0] in ("?", "via"):
        description = description[-1]
    if isinstance(description, list) and description[0] == "enum" and isinstance(description[1], dict):
        return description[1]
    return None


def _never_schema() -> CoreSchema:
    return s.no_info_plain_validator_function(_never)


def _hashable(value: Description) -> object:
    return tuple(value) if isinstance(value, list) else value


def _never(_: object) -> object:
    raise ValueError("JSON cannot write this value")


def _as_given(value: object, handler: Callable[[object], object]) -> object:
    handler(value)
    return value


def _by_name(accept: dict[str, str]) -> Callable[[object, Callable[[object], object]], object]:
    def read(value: object, handler: Callable[[object], object]) -> object:
        if not isinstance(value, str):
            handler(value)
            return value
        if value.upper() not in accept:
            raise ValueError(f"{value!r} is not one of {', '.join(sorted(accept))}")
        return accept[value.upper()]

    return read


def _lower(value: object) -> object:
    return value.lower().replace("-", "_") if isinstance(value, str) else value


def _comma_list(value: object) -> object:
    return value.replace(" ", "").split(",") if isinstance(value, str) else value


def _checked(cls: ConfigClass) -> Callable[[object, Callable[[object], object]], object]:
    def read(value: object, handler: Callable[[object], object]) -> object:
        found = handler(value)
        assert isinstance(found, dict)  # noqa: S101
        problem = check(cls, found)
        if problem is not None:
            raise ValueError(problem)
        return found

    return read


_PLAIN: dict[str, Callable[[], CoreSchema]] = {
    "bool": s.bool_schema,
    "int": s.int_schema,
    "float": s.float_schema,
    "str": s.str_schema,
    "never": _never_schema,
}
