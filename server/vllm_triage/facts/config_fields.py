"""Fields of vLLM's configuration classes by release: the bounds and choices pydantic holds a value to.

Read from each release's ``vllm/config/*.py`` by ``tools/build_config_fields.py``. A flag is declared from a field; a
flag that takes a JSON object is declared from a field whose type is another configuration class.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .versions import KNOWN, nearest

__all__ = ["FieldSpec", "field_of", "keys", "mtp_targets"]

_PASSED_ON = {
    "--data-parallel-rpc-port": "ParallelConfig",
    "--data-parallel-size-local": "ParallelConfig",
    "--data-parallel-rank": "ParallelConfig",
    "--shutdown-timeout": "VllmConfig",
}
"""Flags declared on their own whose value a configuration class takes under the same name."""

_DATA = Path(__file__).with_name("data") / "config_fields.json"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of one release."""

    owner: str
    """The configuration class."""
    name: str
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    choices: tuple[Any, ...] = ()
    """Accepted values; empty when the type does not list them."""
    kinds: tuple[str, ...] = ()
    """Plain Python types accepted (``int``, ``float``, ``bool``, ``str``); empty when the type is not plain."""
    none: bool = False
    """True when None is accepted."""
    config: str | None = None
    """The configuration class of the object this field takes."""

    def allows(self, value: float) -> bool:
        """True when a number is within the bounds."""
        return not (
            (self.ge is not None and value < self.ge) or (self.gt is not None and value <= self.gt)
            or (self.le is not None and value > self.le) or (self.lt is not None and value >= self.lt)
        )  # fmt: skip

    def range(self) -> str:
        """The bounds in words, such as ``more than 0 and at most 1``."""
        words = (("at least", self.ge), ("more than", self.gt), ("at most", self.le), ("less than", self.lt))
        return " and ".join(f"{word} {bound:g}" for word, bound in words if bound is not None)


@cache
def _catalogue() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_DATA.read_text(encoding="utf-8"))
    return found


def _at(rows: list[list[Any]], version: str) -> Any:
    """The fact in force at a release of the catalogue; rows are ``[first release, fact]``, ascending."""
    have = KNOWN.index(nearest(version))
    held = None
    for first, told in rows:
        if KNOWN.index(first) > have:
            break
        held = told
    return held


@cache
def keys(owner: str, version: str) -> Mapping[str, FieldSpec]:
    """The settable fields of a configuration class; empty when the release does not have the class."""
    found: dict[str, FieldSpec] = {}
    for name, rows in _catalogue()["classes"].get(owner, {}).items():
        told = _at(rows, version)
        if told is not None:
            lists = {key: tuple(told.get(key, ())) for key in ("choices", "kinds")}
            found[name] = FieldSpec(owner=owner, name=name, **{**told, **lists})
    return found


@cache
def field_of(flag: str, version: str) -> FieldSpec | None:
    """The field a long flag sets; None when that release has none for it."""
    place = _at(_catalogue()["flags"].get(flag, []), version)
    if place is not None:
        return keys(place[0], version).get(place[1])
    owner = _PASSED_ON.get(flag)
    return None if owner is None else keys(owner, version).get(flag[2:].replace("-", "_"))


@cache
def mtp_targets(version: str) -> frozenset[str]:
    """Model types and architectures whose checkpoints the release can use as their own MTP module."""
    return frozenset(_at(_catalogue()["mtp_targets"], version) or ())
