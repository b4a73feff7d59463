"""Flags as given, each beside what this release would have used without it; and arguments written back as words."""

import json
from collections.abc import Callable, Mapping
from functools import cache

from ..domain import FlagReading, Json, Setting
from ..facts.flags import FlagTable, knowledge, table
from ..facts.versions import at_least
from ..readers.arguments import Arguments, Given
from .settings import Resolution

__all__ = ["flag_readings", "words_of"]


def flag_readings(arguments: Arguments, resolved: Resolution) -> tuple[FlagReading, ...]:
    """One reading for each flag given, in the order typed."""
    without = cache(resolved.without)
    return tuple(_reading(given, arguments.values, resolved.settings, without) for given in arguments.given)


def _reading(
    given: Given, values: Mapping[str, Json], settings: Mapping[str, Setting], without: Callable[[str], Setting]
) -> FlagReading:
    spec = given.spec
    dest = "" if spec is None else spec.dest
    default, why = (None if spec is None else spec.default), ""
    if dest in settings and values.get(dest) is not None:
        otherwise = without(dest)
        default, why = otherwise.value, otherwise.why
    return FlagReading(
        flag=given.flag, given_as=given.given_as, value=given.value, default=default, default_why=why,
        is_default=spec is not None and _same(given.value, default), controls=_controls(dest), note=given.note,
        status=given.status, did_you_mean=given.did_you_mean, dest=dest,
    )  # fmt: skip


def _same(value: Json, default: Json) -> bool:
    """Equal as vLLM sees it: 1 and 1.0 are, 1 and True are not."""
    return value == default and isinstance(value, bool) == isinstance(default, bool)


def _controls(dest: str) -> str:
    known = knowledge(dest) if dest else None
    return "" if known is None else known.controls or known.one_line


def words_of(args: Mapping[str, Json], version: str) -> tuple[str, ...]:
    """`args` (by destination) as the words that give them in `version`; what that release does not have is left out."""
    specs: FlagTable = table(version)
    words: list[str] = []
    for dest, value in args.items():
        spec = specs.by_dest.get(dest)
        if spec is None or not spec.option_strings or value is None:
            continue
        if not spec.takes_value:
            off = next((option for option in spec.option_strings if option in spec.negatives), None)
            words += [spec.flag] if value else [off] if off else []
        elif isinstance(value, list) and spec.nargs in ("+", "*"):
            words += [spec.flag, *(item if isinstance(item, str) else json.dumps(item) for item in value)]
        else:
            words.append(f"{spec.flag}={value if isinstance(value, str) else _written(dest, value, version)}")
    return tuple(words)


def _written(dest: str, value: Json, version: str) -> str:
    """A value as its option reads it: JSON, but a Python literal for the compilation configuration before 0.9."""
    literal = dest == "compilation_config" and isinstance(value, dict) and not at_least(version, "0.9.0")
    return repr(value) if literal else json.dumps(value)
