"""Where the prompts and the skill lie: inside the installed package, or at the root of the source tree."""

from functools import cache
from pathlib import Path

__all__ = ["prompts", "skill"]

_PACKAGE = Path(__file__).parent
_SOURCE_ROOT = _PACKAGE.parent.parent


@cache
def prompts() -> Path:
    """The folder of the jinja2 templates."""
    return _installed_or_source("prompts")


@cache
def skill() -> Path:
    """The folder of the skill's references."""
    return _installed_or_source("skill")


def _installed_or_source(name: str) -> Path:
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _SOURCE_ROOT / name
