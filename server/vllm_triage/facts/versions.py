"""vLLM releases: which ones the flag catalogue knows, and how any version text maps onto them.

A version is compared by its release number alone: a leading ``v``, a build suffix (``+cpu``, ``+cu129``), a pre-release
mark (``rc1``, ``.dev12``) and a post-release mark (``.post1``) do not change which flags a release has.
"""

import re
from functools import lru_cache

__all__ = ["KNOWN", "NEWEST", "at_least", "between", "nearest", "number"]

KNOWN: tuple[str, ...] = (
    "0.6.6.post1", "0.7.0", "0.7.1", "0.7.2", "0.7.3", "0.8.0", "0.8.1", "0.8.2", "0.8.3", "0.8.4", "0.8.5", "0.9.0",
    "0.9.1", "0.9.2", "0.10.0", "0.10.1", "0.10.2", "0.11.0", "0.11.1", "0.11.2", "0.12.0", "0.13.0", "0.14.0",
    "0.14.1", "0.15.0", "0.15.1", "0.16.0", "0.17.0", "0.17.1", "0.18.0", "0.18.1", "0.19.0", "0.19.1", "0.20.0",
    "0.20.1", "0.20.2", "0.21.0", "0.22.0", "0.22.1", "0.23.0", "0.24.0", "0.25.0", "0.25.1", "0.26.0", "0.27.0",
    "0.27.1", "0.28.0", "0.29.0", "0.30.0", "0.31.0", "0.32.0", "0.33.0",
)  # fmt: skip
"""Releases in the flag catalogue, ascending."""

NEWEST = KNOWN[-1]
"""The newest release in the catalogue."""

_MOVING = frozenset({"latest", "nightly", "main", "stable", "newest", "dev"})


@lru_cache(maxsize=512)
def number(version: str) -> tuple[int, int, int]:
    """The release number of a version text: ``"v0.19.1rc2+cu129"`` is ``(0, 19, 1)``.

    ``latest``, ``nightly`` and the like are the newest known release. Raises ``ValueError`` for anything else
    that does not begin with a number.
    """
    text = version.strip().lower()
    if text.split("-")[0] in _MOVING:
        return number(NEWEST)
    found = re.match(r"v?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?", text)
    if found is None:
        raise ValueError(f"not a vLLM version: {version[:40]!r}; expected something like {NEWEST}")
    major, minor, patch = (int(part or 0) for part in found.groups())
    return major, minor, patch


@lru_cache(maxsize=512)
def nearest(version: str) -> str:
    """The catalogue's release that answers for `version`.

    The release itself if it is known; else the nearest of the same minor (the one below before the one above); else the
    nearest lower release. Older than all is answered by the oldest, newer than all by the newest.
    """
    wanted = number(version)
    same_minor = [known for known in KNOWN if number(known)[:2] == wanted[:2]]
    lower = [known for known in KNOWN if number(known) <= wanted]
    lower_same = [known for known in same_minor if number(known) <= wanted]
    if lower_same:
        return lower_same[-1]
    if same_minor:
        return same_minor[0]
    return lower[-1] if lower else KNOWN[0]


def at_least(version: str, floor: str) -> bool:
    """True when `version` is `floor` or newer."""
    return number(version) >= number(floor)


def between(version: str, low: str, high: str) -> bool:
    """True when ``low <= version < high``."""
    return number(low) <= number(version) < number(high)
