"""A model as its own files describe it: its config.json, and what is known of its weights."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..domain import StoredWeights

__all__ = ["CONFIG_BYTES", "INDEX_BYTES", "ModelFiles", "UnreadableModel", "config_in", "layers_told", "told_float32"]

CONFIG_BYTES = 4 * 2**20
"""Longest config.json read."""

INDEX_BYTES = 64 * 2**20
"""Longest index read; DeepSeek-V3's, of 91,991 tensors, has 8.5 MiB."""


class UnreadableModel(ValueError):
    """A place that may be read gave no config.json. The text says why, and names no path of this machine."""


class ModelFiles(NamedTuple):
    """What was read."""

    config: Mapping[str, Any]
    stored: StoredWeights | None
    place: str
    """Where, in a few words."""
    notes: tuple[str, ...] = ()
    """What could not be read beside the config."""


def config_in(file: Callable[[str, int], bytes], refusal: str) -> dict[str, Any]:
    """The config.json of a place whose files `file` gives, by name and within so many bytes.

    Raises:
        UnreadableModel: there is none, or it is none; `refusal` begins the sentence.
    """
    try:
        config = json.loads(file("config.json", CONFIG_BYTES))
    except UnreadableModel as error:
        raise UnreadableModel(f"{refusal}: {error}") from None
    except OSError:
        raise UnreadableModel(f"{refusal}: it is not there") from None
    except (ValueError, RecursionError):
        raise UnreadableModel(f"{refusal}: it is not JSON") from None
    if not isinstance(config, dict):
        raise UnreadableModel(f"{refusal}: it is not a JSON object")
    return config


def layers_told(config: Mapping[str, Any]) -> int:
    """Decoder layers of the text part or the config; 0 where neither says."""
    for inner in (*(config.get(key) for key in ("text_config", "llm_config", "language_config")), config):
        told = inner.get("num_hidden_layers") if isinstance(inner, Mapping) else None
        if isinstance(told, int) and not isinstance(told, bool):
            return max(told, 0)
    return 0


def told_float32(config: Mapping[str, Any]) -> bool:
    """True when the config says its weights are float32."""
    return str(config.get("dtype") or config.get("torch_dtype")).removeprefix("torch.") in ("float32", "float")
