"""TOML: tables of options, and commands that a task runner or a platform keeps under a key."""

import re
from typing import Any

from ..lazy import Lazy

__all__ = ["toml_tree"]

_TABLE = Lazy(r"^[ \t]*\[{1,2}[\w.\"' -]+\]{1,2}[ \t]*(?:#[^\n]*)?$", re.M)
_LONGEST = 16_000
"""Python's own reader takes a microsecond a letter: no such file of a launch is longer."""


def toml_tree(text: str) -> dict[str, Any] | None:
    """The text's tables, every value as a text; None when it is no TOML."""
    if "=" not in text or len(text) > _LONGEST or _TABLE.search(text) is None:
        return None
    import tomllib  # noqa: PLC0415 (only where it may be TOML)

    try:
        return {str(key): _texts(value) for key, value in tomllib.loads(text).items()}
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None


def _texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_texts(item) for item in value]
    return str(value).lower() if isinstance(value, bool) else str(value)
