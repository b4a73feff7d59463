"""Quantization methods by release: what device and activation type each one needs.

Read from each release's ``vllm/model_executor/layers/quantization`` by ``tools/build_quantization_catalogue.py``.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .versions import KNOWN, nearest

__all__ = ["QuantizationMethod", "methods"]

_DATA = Path(__file__).with_name("data") / "quantization.json"


class QuantizationMethod(NamedTuple):
    """One method in one release."""

    name: str
    capability: int | None
    """Least NVIDIA compute capability times ten (80 for 8.0); None where the release states none."""
    dtypes: tuple[str, ...]
    """Activation dtypes accepted, in torch's names (``half`` is float16); empty where the release lists none."""
    deprecated: bool = False
    """True when the release refuses it without --allow-deprecated-quantization."""


@cache
def _catalogue() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_DATA.read_text(encoding="utf-8"))
    return found


@cache
def methods(version: str) -> dict[str, QuantizationMethod]:
    """Every method the nearest release of the catalogue knows, by name."""
    have = KNOWN.index(nearest(version))
    found = {}
    for name, rows in _catalogue().items():
        held = [told for first, told in rows if KNOWN.index(first) <= have]
        if held and held[-1] is not None:
            told = held[-1]
            found[name] = QuantizationMethod(
                name, told.get("capability"), tuple(told.get("dtypes", ())), told.get("deprecated", False)
            )
    return found
