"""What is not a workload."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from ...domain import Json, Workload
from ..reading import excerpt

__all__ = ["ACCEPTED", "BadWorkload", "checked", "count", "positive"]

ACCEPTED = (
    'words ("64 users, 2k in, 300 out", "4 req/s poisson, 1024/128"), a `vllm bench serve` or `vllm bench throughput` '
    "command line or its result JSON, a trace (JSON lines or CSV with a timestamp, input and output lengths), ShareGPT "
    'JSON, or an object {"arrivals": "closed" | "open" | "at_once", "concurrency" | "request_rate" | "requests", '
    '"input": {"mean": ...}, "output": {"mean": ...}}'
)
"""The forms that are read, for the message of an error."""

_LARGEST = 10**9


class BadWorkload(ValueError):
    """No traffic can be read from this; the message says what is missing and what is accepted."""

    def __init__(self, wrong: str) -> None:
        super().__init__(f"{wrong}; accepted: {ACCEPTED}")


def checked(fields: dict[str, Any], notes: Iterable[str] = ()) -> Workload:
    """The workload of these fields.

    Raises:
        BadWorkload: they do not go together.
    """
    try:
        return Workload.model_validate({**fields, "notes": tuple(dict.fromkeys(notes))}, strict=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadWorkload(excerpt(f"{place}: {first['msg']}" if place else first["msg"])) from None


def positive(value: Json | object) -> float | None:
    """A number above zero and not absurd, also when it is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and len(value) > 40:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 < number <= _LARGEST else None


def count(value: Json | object) -> int | None:
    """A whole number of at least 1."""
    number = positive(value)
    return None if number is None or number < 1 else int(number)
