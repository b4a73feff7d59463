"""Settings as numbers: what a resolved or given value counts for when it is a whole number, and what when it is not."""

from ..domain import Json

__all__ = ["as_int"]


def as_int(value: Json, default: int) -> int:
    """`value` as a whole number, else `default`; a bool is not a number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else default
