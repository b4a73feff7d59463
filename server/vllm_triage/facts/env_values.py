"""What vLLM's environment variables accept, where that is a number or a choice.

Read from each release's ``vllm/envs.py`` by ``tools/build_env_values.py``; which release reads which variable is in
:mod:`vllm_triage.facts.env`.
"""

import json
from functools import cache
from pathlib import Path

from .versions import KNOWN, nearest

__all__ = ["refuses"]

_DATA = Path(__file__).with_name("data") / "env_values.json"


@cache
def _catalogue() -> dict[str, list[tuple[str, str | list[str] | None]]]:
    found: dict[str, list[tuple[str, str | list[str] | None]]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return found


def refuses(name: str, value: str, version: str) -> str:
    """Why the release cannot read a value; empty when it can, or when any text will do.

    Switches are read as whole numbers by most releases: ``VLLM_USE_V1=true`` is an error, ``=1`` is not.
    """
    have = KNOWN.index(nearest(version))
    held = [told for first, told in _catalogue().get(name, ()) if KNOWN.index(first) <= have]
    accepts = held[-1] if held else None
    if not accepts or not value:
        return ""
    if isinstance(accepts, list):
        lower = {choice.lower() for choice in accepts}
        parts = [part.strip().lower() for part in value.split(",")]
        return "" if set(parts) <= lower else f"it accepts {', '.join(accepts)}"
    try:
        float(value) if accepts == "float" else int(value)
    except ValueError:
        return "it is read as a number" if accepts == "float" else "it is read as a whole number (a switch is 0 or 1)"
    return ""
