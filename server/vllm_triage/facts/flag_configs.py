"""What the JSON of a configuration option may hold, release by release (``--compilation-config``, ``--kv-transfer-config``...).

The catalogue (``data/flags_configs.json``) describes vLLM's configuration classes as its own pydantic schemas do. A description is

- ``"bool"``, ``"int"``, ``"float"``, ``"str"``, ``"any"``, or ``"never"`` (nothing that JSON can write);
- ``["?", T]`` T or null; ``["lit", [values]]``; ``["enum", {name: value}]``; ``["list", T]``; ``["dict", K, V]``;
  ``["tuple", [T...], index of the repeated one]``; ``["union", [T...]]``; ``["limits", T, {"ge": 1}]``;
- ``["cls", name]`` another class; ``["via", "when:Class.function", T]`` T behind one of vLLM's own validators.
"""

from functools import cache, lru_cache
from typing import Any, NamedTuple

from .rows import entry
from .versions import KNOWN, nearest

__all__ = ["ConfigClass", "Description", "accepted_field", "config_class", "names"]

Description = str | list["Description"] | dict[str, "Description"] | int | float | None
"""See the module's text."""


class ConfigClass(NamedTuple):
    """One configuration class of one release."""

    name: str
    version: str
    fields: dict[str, Description]
    required: tuple[str, ...]
    checks: tuple[str, ...]
    """vLLM's own checks across fields, by name (``__post_init__`` among them)."""
    closed: bool
    """True when a key that is no field is refused; up to 0.12 most classes ignored it."""
    defaults: dict[str, object]


Changes = list[tuple[int, object]]
"""(index of a release, value from there on), ascending."""


@lru_cache(maxsize=1024)
def _stored(section: str, name: str) -> Any:
    return entry("flags_configs.json", name, section)


def _at(changes: Changes, version: str) -> object:
    wanted = KNOWN.index(nearest(version))
    found: object = None
    for index, value in changes:
        if index > wanted:
            break
        found = value
    return found


@cache
def config_class(name: str, version: str) -> ConfigClass | None:
    """The class `name` in the release that answers for `version`, or None when the catalogue has no description of it."""
    stored = _stored("classes", name)
    if not isinstance(stored, dict):
        return None
    own = _at(stored["own"], version)
    if not isinstance(own, list):
        return None
    fields = {field: found for field, changes in stored["fields"].items() if (found := _at(changes, version)) is not None}
    return ConfigClass(
        name=name,
        version=nearest(version),
        fields={field: found[0] for field, found in fields.items()},  # type: ignore[index]
        required=tuple(own[0]),
        checks=tuple(own[1]),
        closed=own[2] == "forbid",
        defaults={field: found[1] for field, found in fields.items()},  # type: ignore[index]
    )


def accepted_field(dest: str, version: str) -> Description:
    """What the configuration behind a plain option accepts (``max_num_seqs`` must be at least 1), or None for "no limit".

    The parser does not check this; the engine does, when it is configured.
    """
    changes: Changes = _stored("fields", dest) or []
    found: Description = _at(changes, version)  # type: ignore[assignment]
    return found


def names(kind: str, version: str) -> tuple[str, ...]:
    """Names a release knows: ``tool_parsers``, ``reasoning_parsers``, ``quant_keys``, ``online``, ``kv_kinds``."""
    changes: Changes = _stored("names", kind) or []
    found = _at(changes, version)
    return tuple(str(name) for name in found) if isinstance(found, list) else ()
