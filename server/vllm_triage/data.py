"""Where the prompts and the skill lie: inside the installed package, or at the root of the source tree."""

from functools import cache
from pathlib import Path

__all__ = ["prompts", "skill"]

_PACKAGE = Path(__file__).parent
_SOURCE_ROOT = _PACKAGE.parent.parent


@cache
def prompts() -> Path:
    """The folder of the jinja2 templates."""
    installed = _PACKAGE / "prompts"
    return installed if installed.is_dir() else _SOURCE_ROOT / "prompts"


@cache
def skill() -> Path:
    """The folder that holds ``SKILL.md`` and, in ``skill/references``, what it opens on demand."""
    installed = _PACKAGE / "skill"
    return installed if installed.is_dir() else _SOURCE_ROOT
