"""What a model's configuration class takes for a key its config.json leaves out.

Read from transformers' own configuration classes (Apache-2.0): class-level defaults only, nothing computed.
"""

import functools
import json
from collections.abc import Mapping
from pathlib import Path

__all__ = ["config_defaults"]

_DATA = Path(__file__).with_name("data") / "config_defaults.json"


@functools.cache
def _all() -> dict[str, dict[str, int | float | bool]]:
    loaded: dict[str, dict[str, int | float | bool]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return loaded


def config_defaults(model_type: str) -> Mapping[str, int | float | bool]:
    """Defaults by key; empty for a model type that is not listed.

    >>> config_defaults("mistral")["sliding_window"]
    4096
    """
    return _all().get(model_type, {})
