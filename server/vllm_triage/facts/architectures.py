"""Model architectures by release, and what each one's class implements.

Read from each release's model registry by ``tools/build_architecture_catalogue.py``.
"""

import json
from functools import cache
from pathlib import Path

from .versions import KNOWN, nearest

__all__ = ["first_seen", "implements", "last_seen", "supported"]

_DATA = Path(__file__).with_name("data") / "architectures.json"
_LETTERS = {"pipeline": "p", "lora": "l", "eagle3": "e", "mamba_prefix_caching": "m", "multimodal": "v"}


@cache
def _catalogue() -> dict[str, list[tuple[str, str | None]]]:
    found: dict[str, list[tuple[str, str | None]]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return found


def _letters(architecture: str, version: str) -> str | None:
    have = KNOWN.index(nearest(version))
    held = [told for first, told in _catalogue().get(architecture, ()) if KNOWN.index(first) <= have]
    return held[-1] if held else None


@cache
def supported(architecture: str, version: str) -> bool:
    """True when the release's own registry has the architecture."""
    return _letters(architecture, version) is not None


@cache
def implements(architecture: str, version: str, interface: str) -> bool | None:
    """True when the architecture's class has an interface; None when the release does not have the architecture.

    `interface` is ``pipeline``, ``lora``, ``eagle3``, ``mamba_prefix_caching`` or ``multimodal``.
    """
    letters = _letters(architecture, version)
    return None if letters is None else _LETTERS[interface] in letters


def first_seen(architecture: str) -> str | None:
    """The first release of the catalogue with the architecture; None when no release has it."""
    rows = _catalogue().get(architecture)
    return None if rows is None else next(first for first, told in rows if told is not None)


def last_seen(architecture: str) -> str | None:
    """The last release with an architecture that is gone from the newest; None when it is still there."""
    rows = _catalogue().get(architecture)
    if rows is None or rows[-1][1] is not None:
        return None
    return KNOWN[KNOWN.index(rows[-1][0]) - 1]
