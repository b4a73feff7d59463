"""The ground every noun stands on: frozen, strict, and closed to unknown fields."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue

__all__ = ["BYTES_PER_GIB", "Json", "Noun", "Origin", "Sourced", "Words"]

BYTES_PER_GIB = 2**30
"""Bytes in one GiB; the only GiB this product knows."""

Origin = Literal["given", "default", "derived", "log", "assumed"]
"""Where a value comes from: typed by the user, the version's default, computed from other values,
read from a pasted log, or assumed for want of anything better."""

Json = JsonValue
"""Any JSON value; the type of a flag's value."""

Words = Annotated[tuple[str, ...], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)]
"""A tuple of strings; a list is accepted."""


class Noun(BaseModel):
    """A frozen, strict value. Unknown fields are errors; equality is by value."""

    # Built on first use: the command line meets a few of the nouns, and building all of them costs more than it does.
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", populate_by_name=True, defer_build=True)

    def to_json(self) -> dict[str, Any]:
        """The noun as plain JSON data, by its public (aliased) field names."""
        return self.model_dump(mode="json", by_alias=True)

    def but(self, **changes: Any) -> Self:
        """A validated copy with `changes` applied (unlike ``model_copy``, which does not validate)."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})


class Sourced(Noun):
    """A value with where it came from.

    `why` says in a few words how the value was found; empty when `origin` says it all.
    """

    value: Json
    origin: Origin
    why: str = ""
